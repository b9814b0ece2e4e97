extension ReportPage {
  /// How the page looks: light or dark as the reader has it, from 360 points of width, and on paper.
  static let style: HTML = """
    :root {
      --ground: #f6f7f8; --surface: #fff; --text: #1b1f24; --muted: #59636e; --line: #d8dde3;
      --faint: #eceff2; --link: #0a58b5; --good: #1a7037; --fair: #8a5a00; --bad: #b3261e;
      --good-ground: #e6f4ea; --fair-ground: #fff4d9; --bad-ground: #fdebe9;
      --read: #7d8b99; --insert: #2c6fbb; --reject: #c4372c; --replace: #8250b5; --end: #1f8a5b;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #101418; --surface: #181d23; --text: #e4e8ec; --muted: #9ba7b3; --line: #333c46;
        --faint: #232a32; --link: #79b4f5; --good: #6fd08c; --fair: #e8b84b; --bad: #ff8d83;
        --good-ground: #14291b; --fair-ground: #2d2410; --bad-ground: #331816;
        --read: #8594a3; --insert: #5b9bea; --reject: #f0675b; --replace: #b48ae8; --end: #4cc28c;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body {
      margin: 0 auto; padding: 1.5rem 1.25rem 3rem; max-width: 68rem; background: var(--ground);
      color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
      overflow-wrap: anywhere;
    }
    h1, h2, h3, h4 { line-height: 1.25; margin: 0; }
    h1 { font-size: 1.75rem; }
    h2 { font-size: 1.3rem; margin-bottom: .75rem; }
    h3 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
    h4 { font-size: .95rem; margin: 1rem 0 .25rem; }
    p { margin: .5rem 0; max-width: 46rem; }
    a { color: var(--link); }
    code { font: .9em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    code, .text, .column, .header { unicode-bidi: isolate; }
    pre {
      margin: .5rem 0; padding: .6rem .8rem; border-radius: .4rem; background: var(--faint);
      white-space: pre-wrap;
    }
    .muted { color: var(--muted); }
    .strong { font-weight: 600; }
    .bad { color: var(--bad); }
    .hidden {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
    }
    .eyebrow { margin: 0 0 .6rem; color: var(--muted); font-size: .9rem; }
    .verdict {
      display: flex; gap: 1rem; padding: 1.25rem; border: 1px solid; border-radius: .75rem;
    }
    .verdict > div { min-width: 0; }
    .verdict.good { background: var(--good-ground); border-color: var(--good); }
    .verdict.fair { background: var(--fair-ground); border-color: var(--fair); }
    .verdict.bad { background: var(--bad-ground); border-color: var(--bad); color: var(--text); }
    .verdict p:last-child { margin-bottom: 0; }
    .icon { flex: none; width: 2.2rem; height: 2.2rem; }
    .icon circle { fill: currentColor; }
    .icon path {
      fill: none; stroke: var(--surface); stroke-width: 2.5; stroke-linecap: round;
      stroke-linejoin: round;
    }
    .good .icon { color: var(--good); }
    .fair .icon { color: var(--fair); }
    .bad .icon { color: var(--bad); }
    .figures {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(8.2rem, 1fr)); gap: .6rem;
      margin: .9rem 0;
    }
    .figure {
      display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: .6rem .8rem;
      border: 1px solid var(--line); border-radius: .5rem; background: var(--surface);
    }
    .figure dt { color: var(--muted); font-size: .8rem; }
    .figure dd {
      margin: 0; font-size: 1.25rem; font-weight: 600; font-variant-numeric: tabular-nums;
      white-space: nowrap;
    }
    .figure.bad dd { color: var(--bad); }
    .figure.fair dd { color: var(--fair); }
    .where {
      padding: .6rem 1rem; border-left: .25rem solid var(--link); border-radius: .25rem;
      background: var(--surface);
    }
    nav { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; margin: 1rem 0; font-size: .95rem; }
    nav a { padding: .2rem 0; }
    section {
      margin: 1rem 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem;
      background: var(--surface);
    }
    footer { color: var(--muted); font-size: .85rem; }

    """ + tableStyle + listStyle + pictureStyle + otherMedia
}

extension ReportPage {
  static let tableStyle: HTML = """
    .scroll { overflow-x: auto; }
    table { width: 100%; border-collapse: collapse; font-size: .92rem; overflow-wrap: normal; }
    th, td {
      padding: .35rem .7rem; border-bottom: 1px solid var(--line); text-align: left;
      vertical-align: top;
    }
    th:first-child, td:first-child { padding-left: 0; }
    th:last-child, td:last-child { padding-right: 0; }
    thead th { color: var(--muted); font-size: .82rem; font-weight: 500; vertical-align: bottom; }
    tbody th { font-weight: 500; }
    tfoot th, tfoot td { border-bottom: 0; border-top: 1px solid var(--muted); font-weight: 600; }
    .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .number.left { text-align: left; }
    .first { width: 6rem; }
    thead .number { white-space: normal; }
    .wide { width: 45%; min-width: 8rem; }
    .header { min-width: 16rem; font-size: .88rem; }
    .note { display: block; color: var(--muted); font-size: .82rem; font-weight: 400; }

    """

  static let listStyle: HTML = """
    .code { margin-top: 1.5rem; padding-top: .25rem; border-top: 1px solid var(--line); }
    h2 + .code { margin-top: 0; padding-top: 0; border-top: 0; }
    .code h3 { margin-top: .9rem; }
    .code h3 code { font-size: 1em; font-weight: 700; }
    .samples, .notices { margin: 0; padding: 0; list-style: none; }
    .samples li, .notices li {
      padding: .2rem 0 .2rem .8rem; border-left: .2rem solid var(--line); margin: .5rem 0;
    }
    .samples p, .notices p { margin: .1rem 0; }
    .place span { color: var(--muted); font-size: .88rem; }
    .place > code:first-child, .file { font-weight: 600; }
    .plain { margin: 0; padding: 0; list-style: none; }
    summary { padding: .2rem 0; color: var(--link); cursor: pointer; font-size: .92rem; }
    .place .column, .column { color: var(--text); font-weight: 600; font-size: inherit; }
    .value { padding: .05rem .3rem; border-radius: .25rem; background: var(--faint); }
    .also { padding: .05rem .35rem; border: 1px solid var(--line); border-radius: .25rem; }
    .doubt { color: var(--fair); }
    .options { margin: 0; }
    .options div {
      display: grid; grid-template-columns: minmax(0, 19rem) minmax(0, 1fr); gap: 0 1rem;
      padding: .35rem 0; border-bottom: 1px solid var(--line);
    }
    .options div:last-child { border-bottom: 0; }
    .options dt { color: var(--muted); }
    .options dd { margin: 0; }

    """

  static let pictureStyle: HTML = """
    .legend { font-size: .88rem; max-width: none; }
    .key {
      display: inline-block; width: .9rem; height: .7rem; margin-right: .35rem;
      border-radius: .15rem;
    }
    .pair { margin-right: .7rem; white-space: nowrap; }
    .legend .muted { display: block; }
    .bar { display: flex; height: .55rem; margin-top: .2rem; }
    .bar span { min-width: 3px; }
    .bar span:first-child { border-radius: .15rem 0 0 .15rem; }
    .inserted, .insert { background: var(--insert); }
    .rejected {
      background: repeating-linear-gradient(
        135deg, var(--reject) 0 3px, transparent 3px 5px) var(--bad-ground);
    }
    .replaced { background: var(--replace); }
    .read { background: var(--read); }
    .survey, .index {
      background: repeating-linear-gradient(135deg, var(--stripe) 0 3px, transparent 3px 5px);
      border: 1px solid var(--stripe);
    }
    .survey { --stripe: var(--read); }
    .index { --stripe: var(--insert); }
    .end { background: var(--end); }
    .waterfall { font-size: .88rem; }
    .axis, .waterfall li {
      display: grid; grid-template-columns: 9.5rem minmax(0, 1fr) repeat(3, 4.6rem); gap: 0 .6rem;
      align-items: center;
    }
    .axis { height: 1.6rem; color: var(--muted); font-size: .82rem; text-align: right; }
    .axis div { position: relative; height: 1.2rem; font-variant-numeric: tabular-nums; }
    .axis div span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
    .waterfall ol { margin: 0; padding: 0; list-style: none; }
    .waterfall li { padding: .1rem 0; border-top: 1px solid var(--faint); }
    .waterfall .seconds {
      text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap;
    }
    .waterfall .label { position: absolute; clip-path: inset(50%); }
    .track {
      position: relative; height: 1.5rem;
      background: repeating-linear-gradient(
        90deg, var(--line) 0 1px, transparent 1px var(--step));
    }
    .track span { position: absolute; height: .65rem; min-width: 2px; border-radius: .1rem; }
    .track .survey, .track .read { top: .05rem; }
    .track .insert, .track .index { bottom: .05rem; }
    .track .end { top: .425rem; }

    """

  static let otherMedia: HTML = """
    @media screen and (max-width: 46rem) {
      body { padding: 1rem .75rem 2rem; }
      h1 { font-size: 1.4rem; }
      .verdict { padding: .9rem; gap: .7rem; }
      .icon { width: 1.7rem; height: 1.7rem; }
      .figures { grid-template-columns: repeat(auto-fit, minmax(7.2rem, 1fr)); gap: .5rem; }
      .figure dd { font-size: 1.1rem; }
      section { padding: .9rem; }
      .options div { grid-template-columns: minmax(0, 1fr); }
      table { font-size: .82rem; }
      th, td { padding: .35rem .3rem; }
      .wide { width: 30%; min-width: 6rem; }
      .first { width: 4rem; }
      .axis > span { display: none; }
      .axis { display: block; }
      .axis div span:first-child { transform: none; }
      .axis div span:last-child { transform: translateX(-100%); }
      .waterfall li {
        display: flex; flex-wrap: wrap; gap: 0 .6rem; padding: .35rem 0; font-size: .78rem;
      }
      .waterfall .name, .track { flex: 0 0 100%; }
      .waterfall .name { font-size: .88rem; font-weight: 500; }
      .waterfall .seconds { color: var(--muted); }
      .waterfall .none { display: none; }
      .waterfall .label { position: static; clip-path: none; }
    }
    @media print {
      :root {
        --ground: #fff; --surface: #fff; --text: #000; --muted: #444; --line: #bbb; --faint: #eee;
        --link: #000; --good: #1a7037; --fair: #8a5a00; --bad: #b3261e; --good-ground: #fff;
        --fair-ground: #fff; --bad-ground: #fff; --read: #7d8b99; --insert: #2c6fbb;
        --reject: #c4372c; --replace: #8250b5; --end: #1f8a5b;
      }
      html { font-size: 10pt; }
      body { max-width: none; padding: 0; print-color-adjust: exact; }
      nav, summary { display: none; }
      details::details-content { content-visibility: visible; }
      section { border: 0; padding: 0; }
      .scroll { overflow: visible; }
      tr, li, .figure, .verdict { break-inside: avoid; }
      h2, h3, h4 { break-after: avoid; }
    }
    """
}

// The search. Its texts are read when someone first uses it, by a script, because pages of a file system may not fetch.
const up = document.currentScript.dataset.up;
const form = document.querySelector("form");
const field = form.querySelector("input");
const list = form.querySelector("ul");

const search = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  list.replaceChildren();
  if (!words.length || typeof texts === "undefined") return;
  const found = [];
  for (const [title, module, file, text] of texts) {
    const lower = text.toLowerCase();
    if (!words.every((word) => lower.includes(word))) continue;
    const inTitle = words.filter((word) => title.toLowerCase().includes(word)).length;
    found.push([-inTitle, title, module, file, text, lower.indexOf(words[0])]);
  }
  if (!found.length) list.append(Object.assign(document.createElement("li"), { textContent: "No page found" }));
  found.sort((left, right) => left[0] - right[0]);
  for (const [, title, module, file, text, place] of found.slice(0, 12)) {
    const link = document.createElement("a");
    const excerpt = document.createElement("small");
    link.href = up + file;
    link.textContent = `${title} · ${module}`;
    excerpt.textContent = `…${text.slice(Math.max(0, place - 40), place + 80)}…`;
    link.append(excerpt);
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
  }
};
field.addEventListener("focus", () => {
  if (typeof texts !== "undefined") return search();
  const script = document.createElement("script");
  script.src = up + "texts.js";
  script.onload = search;
  document.head.append(script);
});
field.addEventListener("input", search);
form.addEventListener("keydown", (event) => { if (event.key === "Escape") list.replaceChildren(); });
document.addEventListener("click", (event) => { if (!form.contains(event.target)) list.replaceChildren(); });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const first = list.querySelector("a");
  if (first) location = first.href;
});

// The first page: asks, shows what was chosen, and makes a library of what is dropped.
import { attend } from "./ask.js";
import { receive } from "./documents.js";
import { keepFresh, refresh } from "./fresh.js";
import { word } from "./shell.js";

const form = document.getElementById("ask");
const shown = (name) => form.querySelector(`[data-shows="${name}"]`);
const SAME = shown("language").textContent;
const NONE = shown("limits").textContent;

/** What a field says that was set to something unusual, in short. */
function brief(field) {
  const { as, before = "", after = "", usual = "" } = field.dataset;
  if (field.type === "checkbox") return field.checked ? as : "";
  return field.value === usual ? "" : `${before}${field.selectedOptions?.[0].text ?? field.value}${after}`;
}

const briefs = (name) => [...shown(name).closest("details").querySelectorAll("input, select, textarea")].map(brief).filter(Boolean).join(", ");

function describe() {
  const given = new FormData(form);
  const search = given.getAll("search");
  const sources = [...given.getAll("sources").map((name) => `@${name}`), ...search];
  shown("sources").textContent = sources.join(", ") || NONE;
  document.getElementById("asks").textContent = search.length ? word("asks", { names: search.join(", ") }) : word("asks_nobody");
  shown("todos").textContent = given.get("todos") || "3–5";
  const language = form.querySelector("[name=language]:checked").parentElement.textContent.trim();
  shown("language").textContent = given.get("language") ? language : SAME;
  shown("limits").textContent = briefs("limits") || NONE;
  shown("options").textContent = briefs("options");
}

function choose(name) {
  const boxes = document.getElementById("libraries");
  for (const box of boxes.querySelectorAll("input")) box.checked = box.value === name;
  if (!boxes.querySelector(`[value="${name}"]`)) {
    const label = document.createElement("label");
    label.className = "check";
    const box = Object.assign(document.createElement("input"), { type: "checkbox", name: "sources", value: name, checked: true });
    label.append(box, ` @${name}`);
    boxes.append(label);
  }
  describe();
  refresh();
}

attend(form);
form.addEventListener("input", describe);
receive(choose);
describe();
keepFresh();

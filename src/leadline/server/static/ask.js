// A question is asked: once, however often it is clicked, and never by the Enter that ends the input of a character.
import { attempt, call } from "./api.js";
import { complain, root, word } from "./shell.js";

const makeKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const number = (text) => (text ? Number(text) : null);
const split = (text) => text?.split(/[\s,，、]+/).filter(Boolean) ?? [];

function read(form) {
  const given = new FormData(form);
  const limits = Object.fromEntries(["calls", "tokens", "cost", "seconds"].map((name) => [name, number(given.get(name))]));
  const search = given.getAll("search");
  const fallback = form.querySelector("[name=search][data-fallback]:checked")?.dataset.fallback;
  return {
    topic: given.get("topic").trim(),
    sources: given.getAll("sources"),
    follows: given.get("follows"),
    search,
    fallback: fallback && !search.includes(fallback) ? [fallback] : [],
    scope: {
      since: given.get("since") || null,
      until: given.get("until") || null,
      sites: split(given.get("sites")),
      not_sites: split(given.get("not_sites")),
    },
    offline: given.has("offline"),
    unsupported: given.has("mark") ? "mark" : "drop",
    manner: {
      length: given.get("length") ?? "normal",
      audience: given.get("audience") ?? "",
      instructions: given.get("instructions") ?? "",
    },
    model: given.get("model"),
    depth: number(given.get("depth")) ?? 1,
    todos: number(given.get("todos")),
    language: given.get("language") || null,
    max_points: number(given.get("points")),
    review_plan: given.has("review"),
    limits,
  };
}

/** Lets a form begin a run. */
export function attend(form) {
  const box = form.elements.topic;
  let key = makeKey();
  const grow = () => {
    box.style.height = "auto";
    box.style.height = `${box.scrollHeight + 2}px`;
  };
  form.addEventListener("input", () => {
    key = makeKey();
    complain("", "wrong");
    grow();
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = read(form);
    if (!body.topic) return;
    if (!body.sources.length && !body.search.length && !body.follows) {
      complain(word("choose"), "wrong");
      return;
    }
    attempt(form.querySelector("[type=submit]"), async () => {
      const begun = await call("POST", "/runs", body, { "idempotency-key": key });
      location.assign(`${root}/runs/${begun.id}`);
    }, "wrong");
  });
}

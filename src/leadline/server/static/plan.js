// The plan changed in place: a todo edited, added, moved, skipped or removed. What is sent is always the whole list.
import { attempt, call } from "./api.js";
import { refresh } from "./fresh.js";
import { tell, word } from "./shell.js";

const plan = () => document.getElementById("plan");
const items = () => [...document.querySelectorAll("#todos > li")];
const read = (item) => JSON.parse(item.dataset.todo);
let run = "";

/** Sends the plan as the page has it; the server's own is shown afterwards, whatever came of it. */
export async function send(control = null, todos = items().map(read)) {
  const revision = Number(plan().dataset.revision);
  const sent = await attempt(control, () => call("PUT", `${run}/plan`, { todos, revision }));
  await refresh();
  return sent;
}

/** Moves a todo by one place; true if there was one. */
export function move(item, by) {
  const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
  if (!other) return false;
  if (by < 0) other.before(item);
  else other.after(item);
  tell(word("moved", { title: read(item).title, place: items().indexOf(item) + 1, total: items().length }));
  return true;
}

function edit(item, todo, done) {
  const form = document.getElementById("todo-form").content.firstElementChild.cloneNode(true);
  for (const name of ["title", "intent", "query"]) form.elements[name].value = todo[name] ?? "";
  item.dataset.own = "";
  item.classList.add("is-editing");
  item.append(form);
  form.elements.title.focus();
  const leave = () => {
    form.remove();
    delete item.dataset.own;
    item.classList.remove("is-editing");
    item.querySelector("summary")?.focus();
    done(null);
  };
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    leave();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.isComposing) leave();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(form));
    if (await done({ ...todo, ...given })) leave();
  });
}

function editTodo(item) {
  const submit = () => item.querySelector("[type=submit]");
  edit(item, read(item), async (todo) => todo && send(submit(), items().map((one) => (one === item ? todo : read(one)))));
}

function add() {
  if (document.querySelector("#todos > .is-new")) return;
  const item = document.createElement("li");
  item.className = "pending is-new";
  const known = items().map(read);
  document.getElementById("todos").append(item);
  edit(item, { title: "", intent: "", query: "" }, async (todo) => {
    if (todo) return send(item.querySelector("[type=submit]"), [...known, todo]);
    item.remove();
    return false;
  });
}

/** Attends to the buttons of the plan. */
export function steer(address) {
  run = address;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-plan]");
    if (!button) return;
    const item = button.closest("li");
    const others = () => items().filter((one) => one !== item).map(read);
    const toggled = () => items().map((one) => (one === item ? { ...read(one), skip: !read(one).skip } : read(one)));
    ({
      edit: () => editTodo(item),
      add,
      up: () => move(item, -1) && send(),
      down: () => move(item, 1) && send(),
      skip: () => send(button, toggled()),
      remove: () => send(button, others()),
    })[button.dataset.plan]();
  });
}

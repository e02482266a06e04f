// Documents dropped on a page, or chosen, become a library.
import { call } from "./api.js";
import { complain, tell, word } from "./shell.js";

const AT_ONCE = 20_000_000; // bytes of documents in one request; the server takes 48 MB, base64 and all
const MOST = 500; // documents in one request; the server takes 1,000

/** The name of a library for some documents: what they have in common, in letters that it may hold. */
function name(documents, folder) {
  const stem = folder || (documents.length === 1 ? documents[0].name.replace(/\.\w+$/, "") : "");
  const plain = stem.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 40);
  return plain || `documents-${new Date().toISOString().slice(5, 16).replace(/\D/g, "")}`;
}

/** What a folder holds; browsers give a hundred entries at a time. */
async function entries(folder) {
  const reader = folder.createReader();
  const all = [];
  let some;
  do {
    some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    all.push(...some);
  } while (some.length);
  return all;
}

const file = (entry) => new Promise((resolve, reject) => entry.file(resolve, reject));

async function gather(entry, path = "") {
  if (entry.isFile) return [{ name: `${path}${entry.name}`, file: await file(entry) }];
  const parts = await Promise.all((await entries(entry)).map((one) => gather(one, `${path}${entry.name}-`)));
  return parts.flat();
}

const encode = (blob) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.onload = () => resolve(reader.result.split(",")[1] ?? "");
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(blob);
});

async function upload(library, documents) {
  let answer = null;
  let bundle = [];
  let size = 0;
  for (const [place, one] of documents.entries()) {
    bundle.push({ name: one.name, content: await encode(one.file) });
    size += one.file.size;
    if (size < AT_ONCE && bundle.length < MOST && place < documents.length - 1) continue;
    answer = await call("POST", "/libraries", { name: library, documents: bundle });
    bundle = [];
    size = 0;
  }
  return answer;
}

async function take(documents, folder, done) {
  if (!documents.length) return;
  tell(word("reading", { count: documents.length }));
  try {
    const made = await upload(name(documents, folder), documents);
    const skipped = Object.keys(made.skipped);
    complain(skipped.length ? word("skipped", { names: skipped.join(", ") }) : "", "wrong");
    tell(word("ready", { name: made.name, count: made.documents }));
    done(made.name);
  } catch (error) {
    tell("");
    complain(error.message, "wrong");
  }
}

/** Takes what is dropped or chosen; `done` is told the name of the library. */
export function receive(done) {
  const veil = document.getElementById("drop");
  const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.getElementById("files").addEventListener("change", (event) => {
    take([...event.target.files].map((one) => ({ name: one.name, file: one })), "", done);
  });
  addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    veil.hidden = false;
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) veil.hidden = true; });
  addEventListener("drop", async (event) => {
    veil.hidden = true;
    if (!holdsFiles(event)) return;
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    const folders = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry?.isDirectory);
    const plain = files.filter((one) => folders.every((folder) => folder.name !== one.name));
    const documents = plain.map((one) => ({ name: one.name, file: one }));
    for (const folder of folders) documents.push(...(await gather(folder)));
    take(documents, files.length === 1 && folders.length === 1 ? folders[0].name : "", done);
  });
}

// The API: one request, one answer, one shape of failure.
import { complain, root, word } from "./shell.js";

const DEADLINE = 20000; // ms: a plan that is edited is answered when whoever works on the run has taken it in, within 10 s

/** Sends a change and returns the answer; throws an Error whose message is for people. */
export async function call(method, path, body = {}, headers = {}) {
  let answer;
  try {
    answer = await fetch(`${root}/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      body: method === "GET" || method === "DELETE" ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(DEADLINE),
    });
  } catch {
    throw new Error(word("gone"));
  }
  if (answer.status === 204) return null;
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error.message);
  return told;
}

/** Does something while the control that asked for it rests, and shows what goes wrong. */
export async function attempt(control, work, line = "trouble") {
  if (control?.disabled) return false;
  if (control) control.disabled = true;
  complain("", line);
  try {
    await work();
    return true;
  } catch (error) {
    complain(error.message, line);
    return false;
  } finally {
    if (control) control.disabled = false;
  }
}

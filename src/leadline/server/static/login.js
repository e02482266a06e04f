// The token is exchanged for a cookie.
import { attempt, call } from "./api.js";
import { root } from "./shell.js";

document.getElementById("login").addEventListener("submit", (event) => {
  event.preventDefault();
  const { token } = event.target.elements;
  attempt(event.target.querySelector("[type=submit]"), async () => {
    await call("POST", "/session", { token: token.value });
    const next = new URLSearchParams(location.search).get("next") ?? "";
    location.assign(next.startsWith(`${root}/`) && !next.startsWith("//") && !next.includes("\\") ? next : `${root}/`);
  });
});

/* The door: the token behind # is exchanged for a cookie, and leaves the address. */
const says = document.getElementById("says");
const token = location.hash.slice(1);

async function enter() {
  if (token === "") {
    says.textContent = "Please open the link that was made for you.";
    return;
  }
  try {
    const answer = await fetch("enter", { method: "POST", body: JSON.stringify({ token }),
      headers: { "Content-Type": "application/json" } });
    const said = await answer.json();
    if (answer.ok) location.replace(said.go);
    else says.textContent = said.error + ".";
  } catch {
    says.textContent = "The server does not answer. Is it running? Reload to try again.";
  }
}
window.addEventListener("hashchange", () => location.reload());
enter();

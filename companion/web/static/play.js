// Follows the live snapshots and shows them; every button posts one command.
import { describe, draw, prepare } from "./board.js";

const $ = (id) => document.getElementById(id);
let layout = null, snapshot = null, picked = null;

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

async function send(name, fields = {}) {
  const answer = await fetch(`/api/v1/commands/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(fields) });
  if (!answer.ok) { const body = await answer.json().catch(() => ({})); note(body.error || `The table did not take this (${answer.status}).`); }
}

function note(text) { $("link").textContent = text; }

function pairs(list, entries) {
  list.replaceChildren(...entries.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}

function showSpot() {
  if (!picked || !snapshot) return;
  $("spot-title").textContent = describe(picked, snapshot.position);
  const detail = $("spot-detail"), dig = (snapshot.digs || {})[picked];
  detail.replaceChildren();
  if (dig) {
    detail.append(element("p", dig.legal ? `A dig here is legal and costs ${dig.cost} EP.` : dig.say || "No dig here."));
    if (dig.breakdown) detail.append(element("p", dig.breakdown));
    if (!dig.legal && dig.rules?.length) detail.append(element("p", `Rules: ${dig.rules.join(", ")}`));
  }
  const here = (snapshot.legal || []).filter((action) => action.spots.includes(picked));
  for (const action of here.slice(0, 12)) detail.append(actionButton(action));
  if (!dig && !here.length) detail.append(element("p", "Nothing can happen here now."));
}

function actionButton(action) {
  const button = element("button", action.label);
  button.addEventListener("click", () => send(snapshot.simulated ? "hands" : "declare", snapshot.simulated ? { verb: "act", arguments: { line: action.line } } : { line: action.line }));
  return button;
}

function show() {
  if (!layout || !snapshot) return;
  draw($("board"), layout, snapshot, picked, (spot) => { picked = spot; show(); });
  $("turn").textContent = snapshot.headline;
  pairs($("facts"), Object.entries(snapshot.facts || {}));
  pairs($("status"), Object.entries(snapshot.status || {}).map(([name, part]) => [name, `${part.ok ? "✓" : "✗"} ${part.say}`]));
  $("legal-count").textContent = (snapshot.legal || []).length;
  $("legal").replaceChildren(...(snapshot.legal || []).slice(0, 60).map((action) => { const item = element("li"); item.append(actionButton(action)); return item; }));
  $("log").replaceChildren(...(snapshot.log || []).map((line) => element("li", line)));
  const refusal = $("refusal");
  refusal.hidden = !snapshot.refusal;
  if (snapshot.refusal) {
    const keep = element("button", "We play it that way");
    keep.addEventListener("click", () => send("keep"));
    refusal.replaceChildren(element("h2", `Not allowed (${snapshot.refusal.rule})`), element("p", snapshot.refusal.say), ...(snapshot.refusal.cure || []).map((line) => element("p", line)), keep);
  }
  const question = $("question");
  question.hidden = !snapshot.question;
  if (snapshot.question) {
    const row = element("div", undefined, { class: "row" });
    snapshot.question.options.forEach((label, choice) => { const button = element("button", label); button.addEventListener("click", () => send("answer", { question: snapshot.question.id, choice })); row.append(button); });
    question.replaceChildren(element("h2", snapshot.question.say), row);
  }
  const score = element("table");
  for (const row of snapshot.score || []) { const line = element("tr"); row.forEach((cell) => line.append(element("td", cell))); score.append(line); }
  $("score").replaceChildren(score);
  showSpot();
  if (!$("picture").hidden) $("picture").src = `/snapshot.jpg?${snapshot.version}`;
}

for (const button of document.querySelectorAll("[data-command]")) button.addEventListener("click", () => send(button.dataset.command));
$("show-picture").addEventListener("click", () => {
  const picture = $("picture");
  picture.hidden = !picture.hidden;
  $("show-picture").setAttribute("aria-pressed", String(!picture.hidden));
  show();
});

layout = prepare(await (await fetch("/api/v1/layout")).json());
const live = new EventSource("/events");
live.addEventListener("open", () => note("live"));
live.addEventListener("error", () => note("connection lost, trying again …"));
live.addEventListener("snapshot", (event) => { snapshot = JSON.parse(event.data); note("live"); show(); });

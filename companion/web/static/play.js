// Follows the live snapshots and shows them; every button posts one command.
import { describe, draw, legend, make, prepare } from "./board.js";
import { handsPanel, isHolding, showReserve, tapped, watch } from "./hands.js";
import { $, button, element, pairs, post, table } from "./page.js";
import { correction, whyPanel } from "./spot.js";
import { t } from "./words.js";

const MOST_LISTED = 80, NARROW = 960, SEAT = 2, mayPlay = Number($("main").dataset.role) >= SEAT;
let layout = null, snapshot = null, picked = null, whyOf = "";
const note = (text) => { $("link").textContent = text; };

async function send(name, fields = {}) {
  try { await post(`/api/v1/commands/${name}`, fields); } catch (error) { note(error.message); }
}
const hands = (verb, args) => send("hands", { verb, arguments: args });
const act = (line) => (snapshot.simulated ? hands("act", { line }) : send("declare", { line }));

function actionItem(action) {
  const item = element("li"), dig = action.line.split(" ")[1] === "dig" && (snapshot.digs || {})[action.spots[0]];
  if (mayPlay) item.append(button(action.label, () => act(action.line))); else item.textContent = action.label;
  if (dig) item.append(element("p", dig.breakdown, { class: "cost" }));
  return item;
}

function pick(spot) {
  if (snapshot.simulated && isHolding() && tapped(spot)) return;
  picked = spot;
  whyOf = "";
  show();
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (innerWidth < NARROW) $("spot").scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
}

async function showSpot() {
  if (!picked || !snapshot.position) return;
  const asked = `${picked} ${snapshot.version}`;
  if (whyOf === asked) return;
  const answer = await fetch(`/api/v1/why?spot=${encodeURIComponent(picked)}`).catch(() => null);
  if (!answer || !answer.ok || `${picked} ${snapshot.version}` !== asked) return;
  whyOf = asked;
  const found = await answer.json(), detail = $("spot-detail");
  const open = detail.querySelector("details:last-of-type")?.open && document.activeElement?.closest("form");
  if (open) return; // somebody is filling in a correction
  $("spot-title").textContent = describe(picked, snapshot.position, snapshot.lights);
  detail.replaceChildren(
    ...whyPanel(found, (snapshot.digs || {})[picked], mayPlay ? act : null),
    ...(mayPlay && snapshot.simulated ? handsPanel(picked, snapshot.position) : []),
    ...(mayPlay ? [correction(picked, layout.places[picked], snapshot.position, send)] : []),
  );
}

function showRefusal(refusal) {
  const box = $("refusal");
  const text = refusal ? JSON.stringify(refusal) : "";
  if (box.dataset.shown === text) return; // do not read it out again
  box.dataset.shown = text;
  box.hidden = !refusal;
  if (!refusal) { box.replaceChildren(); return; }
  const title = element("h2");
  title.append(`✕ ${t("This is not allowed")}`);
  const rule = element("p", refusal.title, { class: "rule-title" });
  if (refusal.rule) rule.prepend(element("span", refusal.rule, { class: "rule" }), " ");
  const row = element("div", undefined, { class: "row" });
  if (mayPlay && snapshot.simulated) row.append(button(t("Let the hands put it right"), () => hands("put_right", {}), { class: "main" }));
  if (mayPlay) row.append(button(refusal.rule ? t("We play it that way") : t("The camera is wrong here"), () => send("keep")));
  const cure = element("ul");
  cure.append(...(refusal.cure || []).map((line) => element("li", line)));
  box.replaceChildren(title, element("p", refusal.say, { class: "say" }), ...(cure.children.length ? [element("h3", t("To put it right")), cure] : []), rule, row);
}

function showQuestion(question) {
  const box = $("question"), text = question ? JSON.stringify(question) : "";
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
  box.hidden = !question;
  if (!question) { box.replaceChildren(); return; }
  const row = element("div", undefined, { class: "row big" });
  if (mayPlay) question.options.forEach((label, choice) => row.append(button(label, () => send("answer", { question: question.id, choice }), { class: "main" })));
  box.replaceChildren(element("h2", question.say), row);
}

// What could not be done, and what to put where until picture and belief agree again.
function showNotes() {
  const { note: said, restore = [], mode } = snapshot, box = $("restore");
  $("note").hidden = !said;
  $("note").replaceChildren(element("p", said || "", { class: "say" }));
  box.hidden = !["restoring", "setup"].includes(mode) || Boolean(snapshot.refusal);
  const text = JSON.stringify([mode, restore]);
  if (box.hidden || box.dataset.shown === text) return;
  box.dataset.shown = text;
  const list = element("ul");
  list.append(...restore.map((line) => element("li", line)));
  const title = mode === "setup" ? t("Lay the table out like this") : t("Put the table right");
  box.replaceChildren(element("h2", title), restore.length ? list : element("p", t("Waiting until the camera sees the board as it is shown here.")));
  if (mayPlay && snapshot.simulated && restore.length) box.append(button(t("Let the hands put it right"), () => hands("put_right", {}), { class: "main" }));
}

function showMine(mine) {
  $("mine").hidden = !mine;
  if (!mine) return;
  const list = element("ul", undefined, { class: "actions" });
  list.append(...(mine.legal || []).map(actionItem));
  const facts = element("dl");
  pairs(facts, [[t("Snow tiles in hand"), mine.hand.join(", ") || t("none")], [t("Requests in hand"), mine.requests.join(", ") || t("none")]]);
  $("mine-detail").replaceChildren(facts, list);
}

function showCoach() {
  const box = $("coach");
  box.hidden = $("show-coach").getAttribute("aria-pressed") !== "true";
  if (box.hidden || !snapshot.position) return;
  const tips = coachTips().map((tip) => element("li", tip)), list = element("ul");
  list.append(...tips);
  box.replaceChildren(element("h2", t("Coach")), list);
}

function coachTips() {
  const { position, digs = {}, legal = [] } = snapshot, tips = [], seat = position.seats.find((one) => one.guild === snapshot.to_act);
  const can = Object.entries(digs).filter(([, dig]) => dig.legal), home = Object.entries(position.pieces).find(([, here]) => (here.leaders || []).includes(snapshot.to_act));
  for (const [spot, dig] of can) tips.push(`${describe(spot, position)}: ${dig.breakdown}`);
  if (home && digs[home[0]] && !digs[home[0]].legal) tips.push(digs[home[0]].say);
  if (can.some(([, dig]) => dig.cost === 0) && position.turn.spent === 0) tips.push(t("A dig for 0 EP does not count as spending: at least 1 EP must still be spent this turn."));
  if (seat && seat.ep > 0 && position.turn.spent === 0) tips.push(t("Typical mistake: the turn cannot end before 1 EP is spent."));
  if (seat && seat.hand > 3) tips.push(t("At the end of the turn only three snow tiles may stay in the hand."));
  for (const [, dig] of can) if (dig.collapses.length) tips.push(t("Typical mistake: pieces on a tile that falls go home, they are not spread."));
  if (!home && seat) tips.push(t("Your leader is in the reserve: build a camp or sail to bring it onto the board."));
  tips.push(t("{count} {count:action is|actions are} legal now; tap a place to see which.", { count: legal.length }));
  return [...new Set(tips)];
}

// The picture with the lights drawn where the camera sees their places.
async function showCamera() {
  $("picture").src = `/snapshot.jpg?${snapshot.version}`;
  const answer = await fetch("/api/v1/overlay").catch(() => null);
  if (!answer?.ok) return;
  const { size, places } = await answer.json(), svg = $("overlay");
  svg.replaceChildren();
  if (!size) return;
  svg.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  const outline = (spot, attributes) => { if (places[spot]) make("polygon", { points: places[spot].map((at) => at.join(",")).join(" "), ...attributes }, svg); };
  for (const [spot, light] of Object.entries(snapshot.lights || {})) outline(spot, { class: `light light-${light.role.replaceAll(" ", "-")}`, stroke: light.colour });
  for (const spot of snapshot.refusal?.spots || []) outline(spot, { class: "marked" });
}

function show() {
  if (!layout || !snapshot) return;
  $("turn").textContent = snapshot.headline || "";
  showRefusal(snapshot.refusal);
  showQuestion(snapshot.mine?.question || snapshot.question);
  showNotes();
  if (snapshot.game) $("this-game").href = `/score/${snapshot.game}`;
  if (snapshot.position) {
    draw($("board"), layout, snapshot, { picked, onPick: pick, marked: snapshot.refusal?.spots });
    legend($("legend"), snapshot.lights);
  }
  const simulated = Boolean(mayPlay && snapshot.simulated && snapshot.position);
  $("board").classList.toggle("with-hands", simulated);
  $("hands").hidden = !simulated;
  if (simulated) showReserve(snapshot.position);
  pairs($("facts"), snapshot.facts);
  pairs($("status"), Object.entries(snapshot.status || {}).map(([name, part]) => [{ camera: t("Camera"), board: t("Board"), leds: t("Lights") }[name] ?? name, `${part.ok ? "✓" : "✗"} ${part.say}`]));
  const legal = snapshot.legal || [];
  $("legal-count").textContent = legal.length;
  $("legal").replaceChildren(...legal.slice(0, MOST_LISTED).map(actionItem));
  $("log").replaceChildren(...(snapshot.log || []).map((line) => element("li", line)));
  if (snapshot.score) $("score").replaceChildren(table(snapshot.score));
  const paused = snapshot.mode === "paused";
  $("pause").textContent = paused ? t("Go on") : t("Pause");
  $("pause").dataset.command = paused ? "resume" : "pause";
  showMine(snapshot.mine);
  showCoach();
  showSpot();
  if (!$("camera").hidden) showCamera();
}

for (const one of document.querySelectorAll("[data-command]")) one.addEventListener("click", () => send(one.dataset.command));
function toggle(id, change) {
  const one = $(id);
  one.addEventListener("click", () => { one.setAttribute("aria-pressed", String(one.getAttribute("aria-pressed") !== "true")); change(one.getAttribute("aria-pressed") === "true"); show(); });
}
toggle("show-picture", (on) => { $("camera").hidden = !on; $("stage").classList.toggle("beside", on); });
toggle("show-coach", () => {});
watch($("board"), hands);
for (const one of document.querySelectorAll(".needs-seat")) one.hidden = !mayPlay;

layout = prepare(await (await fetch("/api/v1/layout")).json());
const live = new EventSource("/events");
live.addEventListener("open", () => note(t("live")));
live.addEventListener("error", () => note(t("connection lost, trying again …")));
live.addEventListener("snapshot", (event) => { snapshot = { version: Number(event.lastEventId), ...JSON.parse(event.data) }; note(t("live")); show(); });

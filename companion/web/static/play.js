// Follows the live snapshots and shows them; every button posts one command.
import { describe, draw, legend, prepare } from "./board.js";
import { handsPanel, isHolding, showReserve, tapped, watch } from "./hands.js";
import { $, button, element, pairs, post, table } from "./page.js";
import { correction, whyPanel } from "./spot.js";
import { t } from "./words.js";

const MOST_LISTED = 80;
let layout = null, snapshot = null, picked = null, whyOf = "";
const note = (text) => { $("link").textContent = text; };

async function send(name, fields = {}) {
  try { await post(`/api/v1/commands/${name}`, fields); } catch (error) { note(error.message); }
}
const hands = (verb, args) => send("hands", { verb, arguments: args });
const act = (line) => (snapshot.simulated ? hands("act", { line }) : send("declare", { line }));

function actionItem(action) {
  const item = element("li");
  item.append(button(action.label, () => act(action.line)));
  return item;
}

function pick(spot) {
  if (snapshot.simulated && isHolding() && tapped(spot)) return;
  picked = spot;
  whyOf = "";
  show();
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
    ...whyPanel(found, (snapshot.digs || {})[picked], act),
    ...(snapshot.simulated ? handsPanel(picked, snapshot.position) : []),
    correction(picked, layout.places[picked], snapshot.position, send),
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
  row.append(button(t("We play it that way"), () => send("keep")));
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
  question.options.forEach((label, choice) => row.append(button(label, () => send("answer", { question: question.id, choice }), { class: "main" })));
  box.replaceChildren(element("h2", question.say), row);
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

function show() {
  if (!layout || !snapshot) return;
  $("turn").textContent = snapshot.headline || "";
  showRefusal(snapshot.refusal);
  showQuestion(snapshot.question);
  if (snapshot.position) {
    draw($("board"), layout, snapshot, { picked, onPick: pick, marked: snapshot.refusal?.spots });
    legend($("legend"), snapshot.lights);
  }
  const simulated = Boolean(snapshot.simulated && snapshot.position);
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
  if (!$("picture").hidden) $("picture").src = `/snapshot.jpg?${snapshot.version}`;
}

for (const one of document.querySelectorAll("[data-command]")) one.addEventListener("click", () => send(one.dataset.command));
function toggle(id, change) {
  const one = $(id);
  one.addEventListener("click", () => { one.setAttribute("aria-pressed", String(one.getAttribute("aria-pressed") !== "true")); change(one.getAttribute("aria-pressed") === "true"); show(); });
}
toggle("show-picture", (on) => { $("picture").hidden = !on; $("stage").classList.toggle("beside", on); });
toggle("show-coach", () => {});
watch($("board"), hands);

layout = prepare(await (await fetch("/api/v1/layout")).json());
const live = new EventSource("/events");
live.addEventListener("open", () => note(t("live")));
live.addEventListener("error", () => note(t("connection lost, trying again …")));
live.addEventListener("snapshot", (event) => { snapshot = { version: Number(event.lastEventId), ...JSON.parse(event.data) }; note(t("live")); show(); });

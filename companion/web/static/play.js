// Follows the live snapshots and shows them; every button posts one command.
import { describe, draw, legend, make, prepare } from "./board.js";
import { handsPanel, isDragging, isHolding, showReserve, tapped, watch } from "./hands.js";
import { follow } from "./live.js";
import { $, button, element, fetchAgain, pairs, post, table } from "./page.js";
import { passed } from "./passed.js";
import { correction, whyPanel } from "./spot.js";
import { t } from "./words.js";

const MOST_LISTED = 80, NARROW = 960, PICTURE_MS = 400, SEAT = 2, mayPlay = Number($("main").dataset.role) >= SEAT;
let layout = null, snapshot = null, picked = null, whyOf = "";
let failed = "", isLive = true; // why the last command was not taken
const note = (text) => { $("link").textContent = text; };

async function send(name, fields = {}) {
  const before = failed;
  try { await post(`/api/v1/commands/${name}`, fields); failed = ""; } catch (error) { failed = error.message; }
  if (failed) note(failed);
  if (failed !== before) show();
}
const hands = (verb, args) => send("hands", { verb, arguments: args });
const act = (line) => (snapshot.simulated ? hands("act", { line }) : send("declare", { line }));

function actionItem(action) {
  const item = element("li"), dig = action.line.split(" ")[1] === "dig" && (snapshot.digs || {})[action.spots[0]];
  if (mayPlay) item.append(button(action.label, () => act(action.line))); else item.textContent = action.label;
  if (dig) item.append(element("p", dig.breakdown, { class: "cost" }));
  return item;
}

// The board as the hands left it: without tiles they took away that are still believed to lie there, and without pieces
// that stand on nothing, as those of a dig under way.
const taken = () => (snapshot.hands?.taken || []).filter((spot) => snapshot.position.tiles[spot]);
function handled() {
  const { position, simulated } = snapshot, gone = taken();
  if (!simulated) return position;
  const tiles = Object.fromEntries(Object.entries(position.tiles).filter(([spot]) => !gone.includes(spot)));
  const stands = ([spot]) => tiles[spot] || !layout.places[spot].takesTile;
  return { ...position, tiles, pieces: Object.fromEntries(Object.entries(position.pieces).filter(stands)) };
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
  const used = document.activeElement, open = detail.querySelector("details:last-of-type")?.open && used?.closest("form");
  if (open || (used?.tagName === "SELECT" && detail.contains(used))) return; // somebody is filling in a correction, or choosing a place
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
  const { restore = [], mode, laying } = snapshot, box = $("restore"), said = failed || snapshot.note || "";
  $("note").hidden = !said;
  if ($("note").textContent !== said) $("note").replaceChildren(element("p", said, { class: "say" }));
  box.hidden = !["restoring", "setup"].includes(mode) || Boolean(snapshot.refusal);
  const text = JSON.stringify([mode, restore, laying]);
  if (box.hidden || box.dataset.shown === text) return;
  box.dataset.shown = text;
  const list = element("ul");
  list.append(...restore.map((line) => element("li", line)));
  const title = snapshot.lesson && mode === "setup" ? t("First put this on the table") : mode === "setup" ? t("Lay the table out like this") : t("Put the table right");
  const wait = element("p", t("Waiting until the camera sees the board as it is shown here."));
  box.replaceChildren(element("h2", title), ...(laying ? [stepList(laying.steps)] : []), restore.length ? list : wait);
  if (mayPlay && snapshot.simulated && restore.length) box.append(laying ? button(t("Let the hands do this step"), () => hands("lay_next", {}), { class: "main" }) : button(t("Let the hands put it right"), () => hands("put_right", {}), { class: "main" }));
  const isLaid = !laying || laying.steps.at(-1)?.now;
  if (mayPlay && restore.length && isLaid && !snapshot.lesson) box.append(button(t("The camera is wrong here"), () => send("keep")));
  if (laying) box.append(reminderList(laying.reminders));
}

function stepList(steps) {
  const list = element("ol", undefined, { class: "steps" });
  list.append(...steps.map((step) => {
    const item = element("li", `${step.done ? "✓ " : ""}${step.say}`, step.now ? { "aria-current": "step" } : {});
    if (step.done) item.prepend(element("span", `${t("done")}: `, { class: "unseen" }));
    return item;
  }));
  return list;
}

function reminderList(lines) {
  const more = element("details"), list = element("ul");
  list.append(...lines.map((line) => element("li", line)));
  more.append(element("summary", t("What every player needs")), list);
  return more;
}

// A lesson that is done on the table: its task, or its praise.
function showLesson(lesson) {
  const box = $("lesson"), text = lesson ? JSON.stringify(lesson) : "";
  if (box.dataset.shown === text) return;
  box.dataset.shown = text;
  box.hidden = !lesson;
  if (!lesson) { box.replaceChildren(); return; }
  const row = element("div", undefined, { class: "row" }), task = element("p", undefined, { class: "task" });
  task.append(element("strong", `${t("Your task")}:`), ` ${lesson.task}`);
  if (lesson.praise) passed(lesson.number);
  if (mayPlay && lesson.number < lesson.count) row.append(button(t("Next lesson"), () => send("start-lesson", { number: lesson.number + 1 }), lesson.praise ? { class: "main" } : {}));
  if (mayPlay) row.append(button(t("Start again"), () => send("start-lesson", { number: lesson.number })), button(t("Leave the lesson"), () => send("leave-lesson")));
  const praise = [element("h3", `✓ ${t("Lesson passed")}`), element("p", lesson.praise || "")];
  box.classList.toggle("good", Boolean(lesson.praise));
  box.replaceChildren(element("h2", `${lesson.number}. ${lesson.title}`), ...(lesson.praise ? praise : [...lesson.text.map((part) => element("p", part)), task]), row);
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
  const box = $("coach"), tips = snapshot.coach || [];
  box.hidden = $("show-coach").getAttribute("aria-pressed") !== "true";
  const text = box.hidden ? "" : JSON.stringify(tips);
  if (box.dataset.shown === text) return; // do not read it out again
  box.dataset.shown = text;
  const list = element("ul", undefined, { class: "tips" });
  list.append(...tips.map(({ kind, say }) => {
    const item = element("li", say, { class: `tip-${kind}` });
    if (kind === "warning") item.prepend(element("strong", `${t("Typical mistake")}: `));
    return item;
  }));
  box.replaceChildren(element("h2", t("Coach")), tips.length ? list : element("p", t("The coach has nothing to say at this moment.")));
}

// The picture, as fast as it comes, with the lights drawn where the camera sees their places.
function watchCamera() {
  const picture = $("picture");
  if ($("camera").hidden) return;
  picture.onload = picture.onerror = () => setTimeout(watchCamera, PICTURE_MS);
  picture.src = `/snapshot.jpg?${Date.now()}`;
}

async function showOverlay() {
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
  if (!layout || !snapshot || isDragging()) return;
  $("turn").textContent = snapshot.headline || "";
  showLesson(snapshot.lesson);
  showRefusal(snapshot.refusal);
  showQuestion(snapshot.mine?.question || snapshot.question);
  showNotes();
  if (snapshot.game) $("this-game").href = `/score/${snapshot.game}`;
  if (snapshot.position) {
    draw($("board"), layout, { ...snapshot, position: handled() }, { picked, onPick: pick, marked: snapshot.refusal?.spots, lifted: taken() });
    legend($("legend"), snapshot.lights);
  }
  const simulated = Boolean(mayPlay && snapshot.simulated && snapshot.position);
  $("board").classList.toggle("with-hands", simulated);
  for (const one of ["hands", "hands-more", "hands-how"]) $(one).hidden = !simulated;
  if (simulated) showReserve(handled(), snapshot.position, snapshot.hands?.in_hand || [], taken());
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
  document.body.dataset.version = String(snapshot.version).split(".").pop(); // what is shown; for tests and the curious
  showMine(snapshot.mine);
  showCoach();
  showSpot();
  if (!$("camera").hidden) showOverlay();
}

for (const one of document.querySelectorAll("[data-command]")) one.addEventListener("click", () => send(one.dataset.command));
function toggle(id, change) {
  const one = $(id);
  one.addEventListener("click", () => { one.setAttribute("aria-pressed", String(one.getAttribute("aria-pressed") !== "true")); change(one.getAttribute("aria-pressed") === "true"); show(); });
}
toggle("show-picture", (on) => { $("camera").hidden = !on; $("stage").classList.toggle("beside", on); watchCamera(); });
toggle("show-coach", () => {});
watch($("board"), { send: hands, show, layout: () => layout, position: handled, look: (spot) => { picked = spot; whyOf = ""; show(); } });
for (const one of document.querySelectorAll(".needs-seat")) one.hidden = !mayPlay;

layout = prepare(await fetchAgain("/api/v1/layout"));
follow((newest) => { snapshot = newest; show(); }, (live) => {
  const isBack = live && !isLive;
  isLive = live;
  if (isBack && failed) { failed = ""; show(); }
  note(isLive && !failed ? t("live") : failed || t("connection lost, trying again …"));
});

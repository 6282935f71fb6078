// What every page shares: making elements, sending commands, the choice of language.
import { t } from "./words.js";

export const $ = (id) => document.getElementById(id);

export function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function button(text, act, attributes = {}) {
  const made = element("button", text, { type: "button", ...attributes });
  made.addEventListener("click", act);
  return made;
}

export function pairs(list, rows) {
  const entries = Array.isArray(rows) ? rows : Object.entries(rows || {});
  list.replaceChildren(...entries.flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
}

export function table(rows, caption) {
  const made = element("table"), body = element("tbody");
  if (caption) made.append(element("caption", caption));
  rows.forEach((row, at) => {
    const line = element("tr");
    row.forEach((cell, column) => line.append(element(at === 0 || column === 0 ? "th" : "td", cell, at === 0 ? { scope: "col" } : column === 0 ? { scope: "row" } : {})));
    if (at === 0) { const head = element("thead"); head.append(line); made.append(head); } else body.append(line);
  });
  made.append(body);
  return made;
}

// Posts JSON; gives the decoded answer, or throws an Error with a sentence for people.
export async function post(path, fields = {}) {
  let answer;
  try {
    answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(fields) });
  } catch {
    throw new Error(t("The table cannot be reached."));
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(body.error || t("The table did not take this ({status}).", { status: answer.status }));
  return body;
}

// Gets JSON, again and again until the table answers.
export async function fetchAgain(path) {
  for (;;) {
    const answer = await fetch(path).catch(() => null);
    if (answer?.ok) return answer.json();
    await new Promise((go) => setTimeout(go, 1500));
  }
}

// Times in seconds since 1970 as this device writes them.
export function showTimes() {
  for (const one of document.querySelectorAll("time[data-at]")) {
    const at = new Date(Number(one.dataset.at) * 1000);
    one.dateTime = at.toISOString();
    one.textContent = at.toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  }
}

const choice = $("language");
if (choice) {
  $("language-set").hidden = true;
  choice.addEventListener("change", () => choice.form.submit());
}

// Says texts in the viewer's language; {count:one|few|many} picks the form that fits a number.
const holder = document.getElementById("words");
const words = holder ? JSON.parse(holder.textContent) : {};
const plural = new Intl.PluralRules(document.documentElement.lang || "en");
const numbers = new Intl.NumberFormat(document.documentElement.lang || "en", { useGrouping: false });
const FORM = { one: 0, few: 1 };

export function fill(template, facts = {}) {
  return template.replace(/\{(\w+)(?::([^{}]*))?\}/g, (whole, name, forms) => {
    const value = facts[name];
    if (forms === undefined) return value === undefined ? "…" : typeof value === "number" ? numbers.format(value) : String(value);
    const all = forms.split("|");
    return all[Math.min(FORM[plural.select(Number(value))] ?? all.length - 1, all.length - 1)];
  });
}

export const t = (text, facts) => fill(words[text] ?? text, facts);

// Remembers on this device which lessons were passed.
const KEY = "lessons passed";
export function passedLessons() {
  try { return new Set(JSON.parse(localStorage.getItem(KEY) || "[]")); } catch { return new Set(); }
}
export function passed(number) {
  try { localStorage.setItem(KEY, JSON.stringify([...passedLessons().add(number)])); } catch { /* private window: forget it */ }
}

"""A lesson passed and a lesson failed, in a real browser."""

from typing import Any


def test_a_mistake_is_explained_and_the_lesson_passed(page: Any) -> None:
    page.goto("/learn")
    page.get_by_role("link", name="Moving with archaeologists").click()
    page.wait_for_selector("#lesson-board [data-spot]")
    page.locator('[data-spot="snow:5,2,3"]').dispatch_event("click")
    page.get_by_role("button", name="Move to snow 5·2·3 with 4 archaeologists").click()
    page.wait_for_selector("#refusal h2")
    assert "R-MOVE-2" in page.text_content("#refusal")
    assert page.locator("#praise").is_hidden()
    page.get_by_role("button", name="Move to snow 5·2·3 with 3 archaeologists").click()
    page.wait_for_selector("#praise h2")
    assert page.locator("#refusal").is_hidden()
    page.goto("/learn")
    assert page.locator("li:has-text('Moving with archaeologists') .passed").is_visible()


def test_explorers_are_spread_in_a_lesson(page: Any) -> None:
    page.goto("/learn/9")
    page.wait_for_selector("#lesson-board [data-spot]")
    page.locator('[data-spot="snow:4,3,3"]').dispatch_event("click")
    page.get_by_role("button", name="Excavate snow 4·3·3").click()
    page.wait_for_selector("#choices-title:has-text('How are the explorers spread?')")
    assert page.locator("#choices button").count() >= 4

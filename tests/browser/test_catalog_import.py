"""Files brought into the catalog: YAML with its problems by line, tables with rows that are wrong, large pools."""

from playwright.sync_api import FilePayload, expect

from tests.browser.conftest import OpenPage
from tests.browser.reading import section
from tests.browser.site import Site

YAML = """kind: voice
name: from-yaml
style: Short.
---
kind: persona
name: yaml-person
sumary: Writes letters.
"""
CSV = """name,summary,traits,language
row-one,Sells ferns.,calm|early,en
Row Two,Has a bad name.,,en
row-three,Repairs bicycles.,,de
row-four,,,en
"""


def test_yaml_is_checked_then_written(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/catalog/import")
    text = page.get_by_label("YAML", exact=True)
    text.fill(YAML)
    page.get_by_role("button", name="Check").click()
    problems = page.get_by_role("alert")
    expect(problems).to_contain_text("sumary")
    problems.get_by_role("button", name="line 7").first.click()
    expect(text).to_be_focused()
    selected = text.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)")
    assert selected == "sumary: Writes letters."
    text.fill(YAML.replace("sumary", "summary"))
    page.get_by_role("button", name="Check").click()
    expect(section(page, "What would change")).to_contain_text("2 new objects")
    page.get_by_role("button", name="Import", exact=True).dblclick()
    expect(section(page, "Written").get_by_role("link", name="yaml-person")).to_be_visible()
    assert site.send("GET", "/api/v1/personas/yaml-person")["version"] == 1


def test_table_with_rows_that_are_wrong(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/catalog/import?kind=personas")
    page.get_by_role("textbox", name="Rows").fill(CSV)
    page.get_by_role("button", name="Check").click()
    wrong = section(page, "Rows that are wrong")
    expect(wrong.locator("tbody tr")).to_have_count(2)
    expect(wrong.locator("tbody tr").first).to_contain_text("lower-case")
    expect(section(page, "What would be written")).to_contain_text("4 rows: 2 new objects")
    expect(page.get_by_role("button", name="Import", exact=True)).to_have_count(0)
    page.get_by_label("Leave out rows that are wrong").check()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(section(page, "Written")).to_contain_text("2 new objects")
    assert site.send("GET", "/api/v1/personas/row-three")["body"]["language"] == "de"


def test_pool_of_a_hundred_thousand_values(site: Site, open_page: OpenPage) -> None:
    page = open_page(f"{site.url}/catalog/pools/new", quiet=False)
    page.get_by_label("Name").fill("very-large")
    values = "\n".join(f"value number {number}" for number in range(100_000))
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Take the lines of a file").click()
    chooser.value.set_files(
        FilePayload(name="values.txt", mimeType="text/plain", buffer=values.encode())
    )
    expect(page.get_by_text("100,000 values", exact=True)).to_be_visible()
    page.get_by_label("More values").fill("one more")
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Take value 1 out", exact=True).click()
    page.get_by_role("button", name="Save pool").click()
    expect(page.get_by_role("heading", name="100,000 values")).to_be_visible()
    rows = page.get_by_role("region", name="Values", exact=True).get_by_role("listitem")
    expect(rows.first).to_contain_text("value number 1")
    assert rows.count() < 80
    page.get_by_label("Find in values").fill("number 99999")
    expect(rows).to_have_count(1)
    assert site.send("GET", "/api/v1/pools?q=very-large")["items"][0]["headline"] == {
        "values": 100_000
    }
    site.send("POST", "/api/v1/pools/very-large/archive")

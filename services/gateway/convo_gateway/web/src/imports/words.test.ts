import { describe, expect, it } from "vitest";
import type { ImportShown } from "../api";
import {
  fileWords,
  heldWords,
  ofRows,
  readingWords,
  reasonWords,
  shownWords,
  takenWords,
} from "./words";

describe("an import in words", () => {
  it("tells the file, also before its format is known", () => {
    expect(fileWords({ format: "jsonl, gzip", bytes: 12_300_000 })).toBe("jsonl, gzip, 12.3 MB");
    expect(fileWords({ format: "", bytes: 12 })).toBe("12 B");
  });

  it("tells parts with what they are parts of", () => {
    expect(takenWords({ taken: 1_312, read: 1_320 })).toBe("1,312 of 1,320 rows taken");
    expect(ofRows(8, 320)).toBe("of 320 rows (2.5\u00a0%)");
    expect(ofRows(0, 0)).toBe("no row yet");
  });

  it("tells how far the reading is", () => {
    const begun = { format: "json", read: 0, taken: 0, refused: 0 };
    expect(readingWords({ ...begun, format: "" })).toContain("Waiting");
    expect(readingWords(begun)).toBe("Reading the first rows.");
    expect(readingWords({ ...begun, read: 2_500, taken: 2_499, refused: 1 })).toBe(
      "2,500 rows read so far: 2,499 taken, 1 refused.",
    );
  });

  it("tells what is held, and nothing over nothing", () => {
    const held = { taken: 2, turns: 7, characters: 1 } as ImportShown;
    expect(heldWords(held)).toBe(
      "2 conversations with 7 turns (3.5 each on average) and 1 character.",
    );
    expect(heldWords({ ...held, taken: 0, turns: 0 })).toBe("No conversation.");
  });

  it("tells how many of the refused rows are shown, and how many are kept at all", () => {
    expect(shownWords(5, 5, 5)).toBe("All 5 refused rows.");
    expect(shownWords(100, 250, 250)).toBe("The first 100 of 250 refused rows.");
    expect(shownWords(100, 1_000, 12_000)).toBe(
      "The first 100 of 12,000 refused rows; the first 1,000 are kept with their reason.",
    );
    expect(shownWords(1_000, 1_000, 12_000)).toContain("The first 1,000 of 12,000");
  });

  it("knows reasons, and leaves those of a newer gateway to their code", () => {
    expect(reasonWords("duplicate")).toContain("earlier row");
    expect(reasonWords("odd_new_reason")).toBe("");
  });
});

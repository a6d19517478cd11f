/** What a form is editing: one JSON value whose parts fields read and write by pointer. */
import { type Json, partAt, withPart } from "../../catalog/json";

export class Draft {
  #value: Json;
  readonly #listeners = new Set<() => void>();

  constructor(value: Json) {
    this.#value = value;
  }

  get value(): Json {
    return this.#value;
  }

  part(pointer: string): Json | undefined {
    return partAt(this.#value, pointer);
  }

  /** Put a part in its place; undefined takes it out. */
  set(pointer: string, part: Json | undefined): void {
    this.replace(withPart(this.#value, pointer, part));
  }

  replace(value: Json): void {
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

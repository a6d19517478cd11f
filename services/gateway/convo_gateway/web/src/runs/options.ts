/** How a list that one types into finds its options. */
import type { OptionsFilter } from "@mantine/core";
import { useState } from "react";

/** Options with the words in their name. A list without options is none to those who hear it, so nothing is one too. */
export function orSay(nothing: string): OptionsFilter {
  return ({ options, search }) => {
    const words = search.trim().toLowerCase();
    const found = options.filter(
      (option) => "label" in option && option.label.toLowerCase().includes(words),
    );
    return found.length > 0 ? found : [{ value: "", label: nothing, disabled: true }];
  };
}

/** What is typed. Who chooses what is chosen already sees its whole name again; the list alone would leave half of it. */
export function useTyped(nameOf: (value: string) => string) {
  const [searchValue, onSearchChange] = useState("");
  const onOptionSubmit = (value: string) => onSearchChange(nameOf(value));
  return { searchValue, onSearchChange, onOptionSubmit };
}

import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Kind, WORDS } from "../../catalog/kinds";
import { listPage } from "../../catalog/objects";
import { useField } from "./context";
import { ORDER } from "./fields";
import { textOf } from "./numbers";

const TYPING_MS = 200;

/** The name of one object of the catalog, found by typing. */
export function NameSelect(props: { at: string; kind: Kind } & Omit<SelectProps, "data">) {
  const { at, kind, ...look } = props;
  const { id, value, error, set, onBlur } = useField(at);
  const name = textOf(value);
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed === name ? "" : typed, TYPING_MS);
  const { data, isPending } = useQuery({
    queryKey: ["catalog", kind, "names", q],
    queryFn: async ({ signal }) => {
      const query = { q: q || undefined, archived: undefined, cursor: undefined };
      return (await listPage(kind, query, signal)).items.map((entry) => entry.name);
    },
    placeholderData: (before) => before,
  });
  const names = data ?? [];
  return (
    <Select
      inputWrapperOrder={ORDER}
      {...look}
      id={id}
      searchable
      openOnFocus={false}
      allowDeselect={false}
      placeholder={isPending ? "Loading" : "Choose one"}
      nothingFoundMessage={`No ${WORDS[kind].one} of that name`}
      data={name === "" || names.includes(name) ? names : [name, ...names]}
      filter={({ options }) => options}
      value={name || null}
      error={error}
      onSearchChange={setTyped}
      onBlur={onBlur}
      onChange={(chosen) => set(chosen ?? "")}
    />
  );
}

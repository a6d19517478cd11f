import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useKey } from "../shell/keys";

const TYPING_MS = 250;

interface Props {
  label: string;
  placeholder: string;
  q: string;
  onChange: (q: string) => void;
}

/** Words that a list is searched for: told a moment after the last key; `/` goes there. */
export function SearchField({ label, placeholder, q, onChange }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(q);
  const told = useRef(q);
  const tell = useDebouncedCallback((text: string) => {
    told.current = text;
    onChange(text);
  }, TYPING_MS);
  useEffect(() => {
    if (q !== told.current) setTyped(q);
    told.current = q;
  }, [q]);
  useKey("/", "Search", () => field.current?.focus());
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Search size={16} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        tell(currentTarget.value.trim());
      }}
      onKeyDown={({ key, currentTarget }) =>
        (key === "Escape" || key === "Enter") && currentTarget.blur()
      }
      w={{ base: "100%", xs: 230 }}
    />
  );
}

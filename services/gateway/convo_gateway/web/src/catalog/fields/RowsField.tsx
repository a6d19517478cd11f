import { ActionIcon, Button, Group, Text, Tooltip } from "@mantine/core";
import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useRef } from "react";
import type { Json } from "../json";
import { useField } from "./form";

interface Props {
  at: string;
  /** What one of them is, such as `model`. */
  one: string;
  /** A new one. */
  make: (index: number) => Json;
  /** The heading of one. */
  title?: (value: Json, index: number) => string;
  children: (pointer: string, index: number) => ReactNode;
}

/** A list of objects: add one, take one out, change their order. */
export function RowsField({ at, one, make, title, children }: Props) {
  const field = useField(at);
  const rows = Array.isArray(field.value) ? field.value : [];
  const keys = useKeys(rows.length);
  const move = (from: number, to: number) => {
    keys.move(from, to);
    field.set(moved(rows, from, to));
  };
  return (
    <section id={field.id} tabIndex={-1} className="rows-field" aria-label={`${one}s`}>
      {rows.map((row, index) => {
        const name = title?.(row, index) || `${one} ${index + 1}`;
        return (
          <fieldset key={keys.list[index]} className="rows-row">
            <legend>{name}</legend>
            <Group gap={2} className="rows-actions">
              <Act
                label={`Move ${name} up`}
                icon={<ArrowUp size={15} />}
                off={index === 0}
                onAct={() => move(index, index - 1)}
              />
              <Act
                label={`Move ${name} down`}
                icon={<ArrowDown size={15} />}
                off={index === rows.length - 1}
                onAct={() => move(index, index + 1)}
              />
              <Act
                label={`Take ${name} out`}
                icon={<Trash2 size={15} />}
                onAct={() => {
                  keys.remove(index);
                  field.set(rows.filter((_, other) => other !== index));
                }}
              />
            </Group>
            {children(`${at}/${index}`, index)}
          </fieldset>
        );
      })}
      {field.error && (
        <Text size="sm" c="var(--mantine-color-error)">
          {field.error}
        </Text>
      )}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => field.set([...rows, make(rows.length)])}
      >
        Add {one}
      </Button>
    </section>
  );
}

function Act(props: { label: string; icon: ReactNode; off?: boolean; onAct: () => void }) {
  const { label, icon, off, onAct } = props;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-disabled={off}
        data-disabled={off || undefined}
        onClick={() => !off && onAct()}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

function moved<Row>(rows: readonly Row[], from: number, to: number): Row[] {
  const others = rows.filter((_, at) => at !== from);
  return [...others.slice(0, to), rows[from] as Row, ...others.slice(to)];
}

/** Keys that stay with their rows while these are moved and taken out. */
function useKeys(length: number) {
  const state = useRef({ list: [] as number[], next: 0 });
  const { current } = state;
  while (current.list.length < length) {
    current.list.push(current.next);
    current.next += 1;
  }
  return {
    list: current.list,
    move: (from: number, to: number) => {
      current.list = moved(current.list, from, to);
    },
    remove: (at: number) => {
      current.list = current.list.filter((_, index) => index !== at);
    },
  };
}

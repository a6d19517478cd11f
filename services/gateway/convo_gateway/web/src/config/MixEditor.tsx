import { Button, CloseButton, Group, Text, TextInput } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Equal, Plus } from "lucide-react";
import { memo, useEffect, useRef, useState } from "react";
import { isObject, type Json, pathOf } from "../catalog/json";
import { type Kind, WORDS } from "../catalog/kinds";
import { count } from "../format";
import { useEditing, useField, usePart } from "../parts/form/context";
import { NumberField } from "../parts/form/fields";
import { fieldId, onReveal } from "../parts/form/focus";
import { textOf } from "../parts/form/numbers";
import { PickDialog } from "../parts/form/PickDialog";
import { sharesOf, weightOf } from "./shares";
import "./mix.css";

const ROW = 44;
const SEARCHED_FROM = 12;

interface Props {
  kind: Kind;
  /** Pointer of the list. */
  at: string;
  hint: string;
}

/** Names with weights, and the share of the conversations that each weight comes to. */
export function MixEditor({ kind, at, hint }: Props) {
  const { many } = WORDS[kind];
  const { value, error, set, id } = useField(at);
  const entries = Array.isArray(value) ? value : [];
  const [picking, setPicking] = useState(false);
  const [q, setQ] = useState("");
  const add = (names: string[]) =>
    set([...entries, ...names.map((name): Json => ({ name, weight: 1 }))]);
  const equal = () => set(entries.map((entry): Json => ({ ...asObject(entry), weight: 1 })));
  const shown = entries.flatMap((entry, row) =>
    nameIn(entry).includes(q.trim().toLowerCase()) ? [row] : [],
  );
  return (
    <fieldset className="mix plain" id={id} tabIndex={-1} aria-label={many}>
      <div className="mix-head">
        <h3>
          {many} <span className="minor">{count(entries.length)}</span>
        </h3>
        <Group gap="xs">
          {entries.length > 1 && (
            <Button
              size="xs"
              variant="subtle"
              leftSection={<Equal size={14} aria-hidden />}
              onClick={equal}
            >
              Equal weights
            </Button>
          )}
          <Button
            size="xs"
            variant="default"
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() => setPicking(true)}
          >
            Add {many.toLowerCase()}
          </Button>
        </Group>
      </div>
      <p className="hint">{hint}</p>
      {error && (
        <Text size="sm" className="field-error">
          {error}
        </Text>
      )}
      {entries.length >= SEARCHED_FROM && (
        <TextInput
          size="xs"
          type="search"
          mb={6}
          aria-label={`Find in ${many.toLowerCase()}`}
          placeholder="Find in the mix"
          value={q}
          onChange={({ currentTarget }) => setQ(currentTarget.value)}
        />
      )}
      <Rows at={at} kind={kind} rows={shown} onFind={() => setQ("")} />
      {picking && (
        <PickDialog
          kind={kind}
          taken={new Set(entries.map((entry) => textOf(asObject(entry).name)))}
          onAdd={add}
          onClose={() => setPicking(false)}
        />
      )}
    </fieldset>
  );
}

function Rows(props: { at: string; kind: Kind; rows: number[]; onFind: () => void }) {
  const { at, kind, rows, onFind } = props;
  const { draft } = useEditing();
  const value = usePart(at);
  const entries = Array.isArray(value) ? value : [];
  const shares = sharesOf(entries.map((entry) => weightOf(entry)));
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 5,
  });
  useEffect(
    () =>
      onReveal(at, (pointer) => {
        const row = Number(pathOf(pointer)[pathOf(at).length]);
        if (!Number.isInteger(row)) return;
        onFind();
        requestAnimationFrame(() => virtual.scrollToIndex(row, { align: "center" }));
      }),
    [at, onFind, virtual],
  );
  const remove = (row: number) => draft.set(`${at}/${row}`, undefined);
  if (rows.length === 0) {
    return <p className="mix-empty">{entries.length === 0 ? "None yet." : "None of that name."}</p>;
  }
  return (
    <div ref={box} className="mix-rows">
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index] ?? 0;
          return (
            <MixRow
              key={`${row} ${textOf(asObject(entries[row]).name)}`}
              at={`${at}/${row}`}
              kind={kind}
              top={start}
              share={shares[row]}
              onRemove={() => remove(row)}
            />
          );
        })}
      </ul>
    </div>
  );
}

interface RowProps {
  at: string;
  kind: Kind;
  top: number;
  share: string | undefined;
  onRemove: () => void;
}

const MixRow = memo(
  function MixRow({ at, kind, top, share, onRemove }: RowProps) {
    const { value: name, error } = useField(`${at}/name`);
    const said = textOf(name);
    return (
      <li className="mix-row" id={fieldId(at)} style={{ transform: `translateY(${top}px)` }}>
        <span className="mix-name" title={error ?? said} data-wrong={error ? true : undefined}>
          <a href={`/catalog/${kind}/${encodeURIComponent(said)}`} target="_blank" rel="noreferrer">
            {said}
          </a>
          {error && <span className="field-error">{error}</span>}
        </span>
        <NumberField at={`${at}/weight`} size="xs" aria-label={`Weight of ${said}`} />
        <span className="mix-share">
          <span className="mix-bar" style={{ width: `${share ?? 0}%` }} />
          <span>{share === undefined ? "–" : `${share}\u00a0%`}</span>
        </span>
        <CloseButton size="sm" aria-label={`Remove ${said}`} onClick={onRemove} />
      </li>
    );
  },
  (a, b) => a.at === b.at && a.top === b.top && a.share === b.share && a.kind === b.kind,
);

function asObject(entry: Json | undefined): { [key: string]: Json } {
  return isObject(entry) ? entry : {};
}

function nameIn(entry: Json): string {
  return textOf(asObject(entry).name).toLowerCase();
}

/** A list of any length: only the rows that are seen are in the page, and the keyboard walks them. */
import { useMediaQuery } from "@mantine/hooks";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown, ArrowUp, ArrowUpDown, PanelRight } from "lucide-react";
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";
import { useKey } from "../shell/keys";

export interface Column<Row> {
  id: string;
  name: string;
  /** In pixels; the first column takes what is left over. */
  width: number;
  cell: (row: Row) => ReactNode;
  number?: boolean;
  /** Not shown where there is little room. */
  wide?: boolean;
  sortable?: boolean;
}

interface Props<Row> {
  label: string;
  rows: Row[];
  /** Rows that there are, loaded or not. */
  total: number;
  columns: Column<Row>[];
  rowId: (row: Row) => string;
  onOpen: (row: Row) => void;
  /** Id of a column, with `-` for the highest first. */
  sort?: string;
  onSort?: (sort: string) => void;
  onEndReached?: () => void;
  /** Whether rows stand close together. */
  compact?: boolean;
  /** Id of the row that is looked into beside the list. */
  peek?: string | undefined;
  /** Is told which row to look into; `replace` where only the row changes. */
  onPeek?: (id: string | undefined, replace: boolean) => void;
}

const ROW = 52;
const COMPACT_ROW = 34;
const NARROW_ROW = 92;
const HEADER = 38;
const NEAR_END = 60;
const GAP = 14;
const NARROW = "(max-width: 48em)";

export function DataGrid<Row>(props: Props<Row>) {
  const { label, rows, total, columns, rowId, onOpen, sort, onSort, onEndReached } = props;
  const { compact = false, peek, onPeek } = props;
  const box = useRef<HTMLDivElement>(null);
  const name = useId();
  const [activeId, setActiveId] = useState(peek);
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const height = narrow ? NARROW_ROW : compact ? COMPACT_ROW : ROW;
  const active = activeId === undefined ? -1 : rows.findIndex((row) => rowId(row) === activeId);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    getItemKey: (at) => rowId(rows[at] as Row),
    overscan: 6,
    scrollPaddingStart: narrow ? 0 : HEADER,
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      return active < 0 || seen.includes(active) ? seen : [...seen, active].sort((a, b) => a - b);
    },
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows have another height where there is little room
  useEffect(() => virtual.measure(), [height, virtual]);
  useEffect(() => {
    if (rows.length < total && last >= rows.length - NEAR_END) onEndReached?.();
  }, [last, rows.length, total, onEndReached]);

  const walk = (to: number) => {
    const at = Math.max(0, Math.min(rows.length - 1, to));
    const row = rows[at];
    if (row === undefined) return;
    setActiveId(rowId(row));
    if (peek !== undefined) onPeek?.(rowId(row), true);
    virtual.scrollToIndex(at);
    box.current?.focus({ preventScroll: true });
  };
  useKey("j", "Next row", () => walk(active + 1));
  useKey("k", "Row before", () => walk(active - 1));
  useKey("o", "Open the row", () => active >= 0 && onOpen(rows[active] as Row));
  const look = useCallback(
    (id: string) => {
      setActiveId(id);
      onPeek?.(id, false);
    },
    [onPeek],
  );
  const lookHere = () => {
    const row = rows[Math.max(0, active)];
    if (peek !== undefined) onPeek?.(undefined, true);
    else if (row !== undefined) look(rowId(row));
  };
  const shown = useMemo(
    () => (onPeek ? columns.toSpliced(1, 0, peekColumn(rowId, look)) : columns),
    [columns, onPeek, rowId, look],
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== box.current) return;
    const page = Math.floor((box.current?.clientHeight ?? ROW) / height) - 1;
    const steps: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: rows.length - 1,
    };
    const to = steps[event.key];
    if (to !== undefined) walk(to);
    else if (event.key === "Enter" && active >= 0) onOpen(rows[active] as Row);
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={box}
      className="grid"
      data-compact={(compact && !narrow) || undefined}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={shown.length}
      aria-activedescendant={active >= 0 ? `${name}-${activeId}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onFocus={(event) =>
        event.target === box.current && active < 0 && rows[0] && setActiveId(rowId(rows[0]))
      }
      style={
        {
          ...tracks(shown),
          "--content": `${virtual.getTotalSize() + (narrow ? 0 : HEADER) + 2}px`,
        } as CSSProperties
      }
    >
      {onPeek && <PeekKey onPress={lookHere} />}
      <div role="row" aria-rowindex={1} className="grid-header">
        {shown.map((column) => (
          <Header key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
      </div>
      <div role="rowgroup" className="grid-body" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <GridRow
            key={key}
            id={`${name}-${key}`}
            row={rows[index] as Row}
            at={index}
            top={start}
            active={index === active}
            columns={shown as Column<unknown>[]}
            onOpen={onOpen as (row: unknown) => void}
          />
        ))}
      </div>
    </div>
  );
}

/** The key of the panel beside the list; only a list that has one knows it. */
function PeekKey({ onPress }: { onPress: () => void }) {
  useKey("p", "Look into the row, or close the panel", onPress);
  return null;
}

function peekColumn<Row>(rowId: (row: Row) => string, look: (id: string) => void): Column<Row> {
  return {
    id: "peek",
    name: "",
    width: 28,
    wide: true,
    cell: (row) => (
      <button
        type="button"
        className="peek-button"
        aria-label={`Look into ${rowId(row)}`}
        tabIndex={-1}
        onClick={() => look(rowId(row))}
      >
        <PanelRight size={16} aria-hidden />
      </button>
    ),
  };
}

/** The columns as tracks of CSS grid, and what they need together. */
function tracks(columns: { width: number }[]): CSSProperties {
  const needed = columns.reduce((sum, { width }) => sum + width + GAP, GAP);
  const [first, ...others] = columns.map(({ width }) => `${width}px`);
  const style = { "--columns": [`minmax(${first}, 1fr)`, ...others].join(" ") };
  return { ...style, "--needed": `${needed}px`, "--gap": `${GAP}px` } as CSSProperties;
}

interface RowProps {
  id: string;
  row: unknown;
  at: number;
  top: number;
  active: boolean;
  columns: Column<unknown>[];
  onOpen: (row: unknown) => void;
}

const GridRow = memo(function GridRow({ id, row, at, top, active, columns, onOpen }: RowProps) {
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={at + 2}
      aria-selected={active}
      className="grid-row"
      style={{ transform: `translateY(${top}px)` }}
      onClick={(event) => {
        const onLink = event.target instanceof Element && event.target.closest("a, button");
        if (!onLink && !getSelection()?.toString()) onOpen(row);
      }}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className="grid-cell"
          data-column={column.id}
          data-number={column.number || undefined}
          data-wide={column.wide || undefined}
        >
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
});

function Header<Row>(props: {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}) {
  const { column, sort, onSort } = props;
  const { id, name, number, sortable } = column;
  const way = sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
  const Icon = way === "ascending" ? ArrowUp : way === "descending" ? ArrowDown : ArrowUpDown;
  const first = id === "name" ? id : `-${id}`;
  const next = sort === first ? (first === id ? `-${id}` : id) : first;
  return (
    <div
      role="columnheader"
      aria-sort={sortable ? (way ?? "none") : undefined}
      className="grid-cell"
      data-number={number || undefined}
    >
      {sortable ? (
        <button type="button" className="sort" data-on={way} onClick={() => onSort?.(next)}>
          {name}
          <Icon size={13} aria-hidden />
        </button>
      ) : (
        name
      )}
    </div>
  );
}

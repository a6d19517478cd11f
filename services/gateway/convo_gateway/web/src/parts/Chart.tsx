/** A chart over time: drawn by uPlot, told in words to those who do not see it, and as a table to all. */
import { useMantineColorScheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef, useState } from "react";
import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { TableBox } from "./TableBox";

interface Props {
  /** What the chart shows, in a sentence. */
  summary: string;
  height: number;
  data: UPlot.AlignedData;
  /** Called again when the theme changes; `ink` is the colour of text. */
  options: (ink: string) => Omit<UPlot.Options, "width" | "height">;
  /** The same as a table; drawn when somebody opens it. */
  table?: () => ReactNode;
}

export function Chart({ summary, height, data, options, table }: Props) {
  const { ref, width } = useElementSize();
  const host = useRef<HTMLDivElement>(null);
  const drawn = useRef<UPlot>(null);
  const latest = useRef(data);
  latest.current = data;
  const { colorScheme } = useMantineColorScheme();
  const [open, setOpen] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a chart in other colours is another chart
  useEffect(() => {
    if (host.current === null || width === 0) return;
    const ink = getComputedStyle(host.current).color;
    const size = { width: Math.floor(width), height };
    const chart = new UPlot({ ...options(ink), ...size }, latest.current, host.current);
    drawn.current = chart;
    return () => {
      drawn.current = null;
      chart.destroy();
    };
  }, [options, width, height, colorScheme]);
  useEffect(() => drawn.current?.setData(data), [data]);

  return (
    <div ref={ref}>
      <div ref={host} role="img" aria-label={summary} style={{ minHeight: height }} />
      {table && (
        <details className="as-table" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>Show as table</summary>
          {open && <TableBox label="The chart as a table">{table()}</TableBox>}
        </details>
      )}
    </div>
  );
}

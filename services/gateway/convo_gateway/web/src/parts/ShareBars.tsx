/** Shares as bars: drawn, told in words to those who do not see them, and as a table to all. */
import { Table } from "@mantine/core";
import type { CSSProperties } from "react";
import { TableBox } from "./TableBox";
import "./shareBars.css";

export interface ShareBar {
  name: string;
  /** What stands under the bar, where the name is too long for it. */
  short?: string;
  /** 0 to 1. */
  share: number;
  /** Such as `35.0 %`, or an exact count. */
  said: string;
  /** What stands over the bar, where that is too long for it. */
  brief?: string;
}

interface Props {
  /** What the bars show, in a sentence. */
  summary: string;
  /** What a bar stands for, such as `Turns`. */
  dimension: string;
  /** What is said of it. */
  measure?: string;
  bars: readonly ShareBar[];
}

const MOST_LABELS = 26;

/** Bars side by side, for numbers that have an order. */
export function ShareColumns({ summary, dimension, measure = "Share", bars }: Props) {
  const top = Math.max(...bars.map(({ share }) => share), 0.0001);
  const step = Math.ceil(bars.length / MOST_LABELS);
  return (
    <div>
      <div className="columns" role="img" aria-label={summary}>
        {bars.map(({ name, short = name, share, said, brief = said }, at) => (
          <div key={name} className="column" title={`${name}: ${said}`}>
            <span className="column-said">{bars.length <= 12 ? brief : ""}</span>
            <span className="column-bar" style={{ "--share": share / top } as CSSProperties} />
            <span className="column-name">{at % step === 0 ? short : ""}</span>
          </div>
        ))}
      </div>
      <details className="as-table">
        <summary>Show as table</summary>
        <TableBox label={summary}>
          <Table verticalSpacing={3}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{dimension}</Table.Th>
                <Table.Th ta="right">{measure}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {bars.map(({ name, said }) => (
                <Table.Tr key={name}>
                  <Table.Td>{name}</Table.Td>
                  <Table.Td ta="right">{said}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableBox>
      </details>
    </div>
  );
}

import { Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Conversation, Judgement, TallyShown } from "../api";
import { Plain } from "../parts/Plain";
import { TableBox } from "../parts/TableBox";
import { answered, askedFor, avoidedWords, comparedWords, tallyWords } from "./judging";

/** Every answer of the judges, where there is more than the one score above, or more to say of it. */
export function Judgements({ of }: { of: Conversation }) {
  const { judgements, tally } = of;
  const more = judgements.some(({ note, cached_from }) => note || cached_from);
  if (judgements.length < 2 && !more) return null;
  return (
    <>
      {tally && <Tally of={tally} />}
      <TableBox label="Answers of the judges">
        <Table verticalSpacing={4} mt="xs" className="judgements">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Asked for</Table.Th>
              <Table.Th>Answer</Table.Th>
              <Table.Th>Criteria, reason</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {judgements.map((one) => (
              <Row key={one.step} of={one} />
            ))}
          </Table.Tbody>
        </Table>
      </TableBox>
    </>
  );
}

function Tally({ of }: { of: TallyShown }) {
  const compared = comparedWords(of);
  return (
    <div className="tally">
      <p>{tallyWords(of)}</p>
      {of.judges.length > 1 && (
        <p>
          {of.judges.map(({ judge, score, scored, asked }, seat) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a judge is its seat
            <span key={seat}>
              {seat > 0 && ", "}
              {judge} <strong>{score?.toFixed(2) ?? "no score"}</strong> ({scored} of {asked})
            </span>
          ))}
          {typeof of.spread === "number" && `; spread ${of.spread.toFixed(2)}`}
        </p>
      )}
      {compared && <p>{compared}</p>}
    </div>
  );
}

function Row({ of }: { of: Judgement }) {
  const { judge, criteria, why, detail, note, cached_from } = of;
  const avoided = avoidedWords(of);
  return (
    <Table.Tr data-recheck={of.purpose === "recheck" || undefined}>
      <Table.Td>
        {askedFor(of)}
        <Text size="xs" c="dimmed">
          {judge}
        </Text>
      </Table.Td>
      <Table.Td>
        <strong>{answered(of)}</strong>
      </Table.Td>
      <Table.Td>
        {criteria.map(({ name, score }) => `${name} ${score}`).join(", ")}
        <Plain text={why || detail} />
        {note && (
          <Text size="xs" className="warn">
            <Plain text={note} />
          </Text>
        )}
        {avoided && (
          <Text size="xs" c="dimmed">
            {avoided}:{" "}
            <Link to="/corpus/$conversation" params={{ conversation: cached_from }}>
              {cached_from}
            </Link>
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

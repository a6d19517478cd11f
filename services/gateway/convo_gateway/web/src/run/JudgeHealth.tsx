import { Alert, Table, Text } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleHelp, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { getJudge, type JudgeReport, type OneJudge } from "../api";
import { count } from "../format";
import { Plain } from "../parts/Plain";
import { Section } from "../parts/Section";
import { ShareColumns } from "../parts/ShareBars";
import { Failed, Loading } from "../parts/states";
import { TableBox } from "../parts/TableBox";
import "./judgeHealth.css";
import {
  againInWords,
  answersInWords,
  betweenInWords,
  conditionInWords,
  conditionLabel,
  lastInWords,
  leftOut,
  peopleInWords,
  recheckCost,
  scoreBars,
  spreadInWords,
} from "./judgeHealth";

const REREAD_MS = 10_000;
const ICONS = {
  unknown: CircleDashed,
  well: CircleCheck,
  doubtful: CircleHelp,
  sick: TriangleAlert,
} as const;

/** Whether the judges are well; read when somebody scrolls to it. */
export const JudgeHealth = memo(function JudgeHealth(props: { run: string; isLive: boolean }) {
  const { run, isLive } = props;
  const { ref, entry } = useIntersection({ rootMargin: "200px" });
  const near = entry?.isIntersecting === true;
  const { data, error, refetch } = useQuery({
    queryKey: ["run", run, "judge"],
    queryFn: async ({ signal }) =>
      (await getJudge({ path: { run }, signal, throwOnError: true })).data,
    enabled: near,
    refetchInterval: isLive && near ? REREAD_MS : false,
  });
  return (
    <div ref={ref}>
      <Section title="Judge">
        {data ? (
          <Shown report={data} />
        ) : error ? (
          <Failed error={error} what="The judge" onRetry={() => void refetch()} />
        ) : (
          <Loading what="the judge" />
        )}
      </Section>
    </div>
  );
});

function Shown({ report }: { report: JudgeReport }) {
  const { judges, people, between_people: between } = report;
  if (judges.length === 0) return <Text c="dimmed">This run has no judge.</Text>;
  const rest = leftOut(people);
  return (
    <>
      <div className="judges">
        {judges.map((judge, seat) => (
          <Judge key={judge.judge} judge={judge} report={report} isFirst={seat === 0} />
        ))}
      </div>
      <div className="with-people">
        <h3>With people</h3>
        <Text size="sm">{peopleInWords(people)}</Text>
        {people.both > 0 && <Decisions people={people} />}
        {rest && (
          <Text size="sm" c="dimmed">
            {rest}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {betweenInWords(between)}
        </Text>
      </div>
    </>
  );
}

function Judge(props: { judge: OneJudge; report: JudgeReport; isFirst: boolean }) {
  const { judge, report, isFirst } = props;
  const { condition, spread, answers } = judge;
  const said = conditionInWords(judge, report.limits);
  const last = lastInWords(judge);
  const cost = recheckCost(judge.rechecks);
  const Icon = ICONS[condition];
  return (
    <article className="judge" aria-label={`Judge ${judge.judge}`}>
      <h3>
        <Plain text={judge.judge} />{" "}
        <span className="judge-condition" data-condition={condition}>
          <Icon size={16} aria-hidden /> {conditionLabel(judge, report.limits)}
        </span>
      </h3>
      {said && (
        <Alert
          variant="outline"
          color={condition === "sick" ? "red" : "yellow"}
          icon={<Icon size={18} aria-hidden />}
          className="notice"
          my="xs"
        >
          <Plain text={said} />
        </Alert>
      )}
      <Text size="sm">{answersInWords(answers)}</Text>
      {last && (
        <Text size="sm" c="dimmed">
          {last}
        </Text>
      )}
      {spread && (
        <>
          <Text size="sm" mt="xs">
            {spreadInWords(spread)}
          </Text>
          <ShareColumns
            summary={`Scores of ${judge.judge}: ${spreadInWords(spread)}`}
            dimension="Score"
            measure="Answers"
            bars={scoreBars(spread)}
          />
          <Criteria judge={judge} />
        </>
      )}
      <Text size="sm" mt="xs">
        {againInWords(judge, report.recheck_share, isFirst)}
      </Text>
      {cost && (
        <Text size="sm" c="dimmed">
          {cost}
        </Text>
      )}
    </article>
  );
}

function Criteria({ judge }: { judge: OneJudge }) {
  if (judge.criteria.length < 2) return null;
  return (
    <TableBox label={`Criteria of ${judge.judge}`}>
      <Table verticalSpacing={4} mt="xs" className="criteria-spread">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Criterion</Table.Th>
            <Table.Th ta="right">Scores</Table.Th>
            <Table.Th ta="right">Mean</Table.Th>
            <Table.Th ta="right">Deviation</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {judge.criteria.map(({ name, scores, mean, deviation }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td ta="right">{count(scores)}</Table.Td>
              <Table.Td ta="right">{mean.toFixed(2)}</Table.Td>
              <Table.Td ta="right">{deviation.toFixed(2)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableBox>
  );
}

function Decisions({ people }: { people: JudgeReport["people"] }) {
  return (
    <TableBox label="Judges and people">
      <Table verticalSpacing={4} my="xs" className="decisions">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Judges</Table.Th>
            <Table.Th ta="right">Accepted by people</Table.Th>
            <Table.Th ta="right">Rejected by people</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Th scope="row">passed</Table.Th>
            <Table.Td ta="right">{count(people.pass_accepted)}</Table.Td>
            <Table.Td ta="right">{count(people.pass_rejected)}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">failed</Table.Th>
            <Table.Td ta="right">{count(people.fail_accepted)}</Table.Td>
            <Table.Td ta="right">{count(people.fail_rejected)}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </TableBox>
  );
}

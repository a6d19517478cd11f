import { Alert } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import { plural } from "../../format";
import { Plain } from "../../parts/Plain";
import type { PlacedProblem } from "./files";

const MOST = 100;

/** What is wrong with a file, by line; a click selects the line. */
export function ProblemList(props: {
  title: string;
  problems: PlacedProblem[];
  onGo: (line: number) => void;
}) {
  const { title, problems, onGo } = props;
  return (
    <Alert
      role="alert"
      variant="outline"
      color="orange"
      icon={<TriangleAlert aria-hidden />}
      title={`${title}: ${plural(problems.length, "problem")}`}
    >
      <ul className="problems">
        {problems.slice(0, MOST).map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`}>
            {line ? (
              <button type="button" className="jump" onClick={() => onGo(line)}>
                line {line}
                {column ? `, column ${column}` : ""}
              </button>
            ) : (
              "the file"
            )}{" "}
            <Plain text={message} />
          </li>
        ))}
        {problems.length > MOST && <li>and {plural(problems.length - MOST, "other")}</li>}
      </ul>
    </Alert>
  );
}

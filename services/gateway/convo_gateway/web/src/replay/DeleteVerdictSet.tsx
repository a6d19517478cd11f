import { useNavigate } from "@tanstack/react-router";
import { DeleteButton } from "../parts/DeleteButton";
import { useDeleteVerdictSet } from "./useReplay";

/** Lets go of a verdict set, after asking. The run's own record stays. */
export function DeleteVerdictSet({ run, name }: { run: string; name: string }) {
  const navigate = useNavigate();
  return (
    <DeleteButton
      what={`verdict set ${name}`}
      kind="verdict set"
      consequence="Its verdicts are deleted. The run's own record stays as it is, and so do exports that were made with the set."
      removal={useDeleteVerdictSet(run)}
      target={name}
      gone={() => void navigate({ to: "/runs/$run", params: { run } })}
    />
  );
}

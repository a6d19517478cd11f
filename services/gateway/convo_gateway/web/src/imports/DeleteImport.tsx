import { useNavigate } from "@tanstack/react-router";
import { DeleteButton } from "../parts/DeleteButton";
import { useDeleteImport } from "./useImports";

/** Lets go of a file and its rows, after asking. A run that takes it keeps it. */
export function DeleteImport({ id, name }: { id: string; name: string }) {
  const navigate = useNavigate();
  return (
    <DeleteButton
      what={`import “${name.slice(0, 80)}”`}
      kind="import"
      consequence="Its rows are deleted. What runs made of them stays as it is."
      removal={useDeleteImport()}
      target={id}
      gone={() => void navigate({ to: "/imports" })}
    />
  );
}

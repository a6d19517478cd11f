/** The pages that one can go to. */
import {
  BookOpen,
  ClipboardCheck,
  FileInput,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  PackageOpen,
} from "lucide-react";

export interface Place {
  to: "/runs" | "/corpus" | "/review" | "/imports" | "/exports" | "/catalog";
  name: string;
  keys: string;
  icon: LucideIcon;
}

export const PLACES: Place[] = [
  { to: "/runs", name: "Runs", keys: "g r", icon: ListChecks },
  { to: "/corpus", name: "Corpus", keys: "g c", icon: MessagesSquare },
  { to: "/review", name: "Review", keys: "g v", icon: ClipboardCheck },
  { to: "/imports", name: "Imports", keys: "g i", icon: FileInput },
  { to: "/exports", name: "Exports", keys: "g x", icon: PackageOpen },
  { to: "/catalog", name: "Catalog", keys: "g k", icon: BookOpen },
];

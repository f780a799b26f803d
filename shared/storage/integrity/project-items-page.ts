import { defineTable } from '../dynamodb/table.ts';
import {
  allProjects,
  type ContentPart,
  type ProjectItem,
  partitionStarts,
  type RefItem,
  type UseRow,
} from '../projects/project-items.ts';

/** An item of the table `projects`, of any kind. */
export type ProjectsTableItem = ProjectItem | RefItem | ContentPart | UseRow;

/** The table `projects` with all kinds of items, for scans. */
export const projectsTableItems = defineTable<ProjectsTableItem>('projects');

/** Items of one page of a scan. Short names and the number of projects are not among them. */
interface SortedItems {
  readonly projects: readonly ProjectItem[];
  readonly refs: readonly RefItem[];
  readonly parts: readonly ContentPart[];
  readonly uses: readonly UseRow[];
}

/** Returns the items of a page by their kind, which the start of the partition key names. */
export const sortProjectItems = (items: readonly ProjectsTableItem[]): SortedItems => {
  const pick = <Item extends ProjectsTableItem>(start: string) =>
    items.filter(({ p }) => p.startsWith(start)) as Item[];
  return {
    projects: pick<ProjectItem>(allProjects),
    refs: pick<RefItem>(partitionStarts.ref),
    parts: pick<ContentPart>(partitionStarts.content),
    uses: pick<UseRow>(partitionStarts.use),
  };
};

import { writeRows } from '../../output/result.ts';
import type { Terminal } from '../../output/terminal.ts';
import { counts, explainFinding, type Finding, type Place } from '../findings.ts';
import type { CheckReport } from '../report.ts';

/** So many ways are shown of how a package came in. */
const shownPlaces = 2;

const describePlace = ({ file, line, through }: Place): string => {
  const where = line === undefined ? file : `${file}:${line}`;
  if (through === undefined) return where;
  return through.length === 0
    ? `${where}, asked for itself`
    : `${where}, by ${through.join(' > ')}`;
};

const describePlaces = (places: readonly Place[]): string => {
  const more = places.length - shownPlaces;
  const shown = places.slice(0, shownPlaces).map(describePlace);
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
};

const toRow = (finding: Finding) => {
  const { status, ecosystem, name, version, found_in } = finding;
  return {
    ...{ status, ecosystem, name, version },
    why: explainFinding(finding),
    used_by: describePlaces(found_in),
  };
};

/** Writes what is not allowed, as a table, with what pulled it in. */
export const writeForPeople = ({ packages }: CheckReport, { out }: Terminal): void =>
  writeRows(packages.filter(counts).map(toRow), out, {
    format: 'people',
    columns: ['status', 'ecosystem', 'name', 'version', 'why', 'used_by'],
  });

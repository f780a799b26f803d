import { takeFitting } from '../domain/answer-size.ts';
import type { VulnerabilitiesQuery, VulnerabilityPage } from '../schemas/vulnerability.ts';
import { showStatuses } from '../store/vulnerabilities/counter.ts';
import { queryListed } from '../store/vulnerabilities/listed.ts';

/** A page of the vulnerabilities that versions have, the most severe first. */
export const listVulnerabilities = async (
  query: VulnerabilitiesQuery,
): Promise<VulnerabilityPage> => {
  const { limit, ...wanted } = query;
  // One more than is shown tells whether there is another page.
  const found = await queryListed(wanted, limit + 1);
  const rows = takeFitting(found.slice(0, limit));
  return {
    vulnerabilities: rows.map(({ id, aliases, severity, score, summary, ...row }) => ({
      ...{ id, severity, cvss_score: score, summary },
      known_exploited: row.known_exploited,
      epss: row.epss,
      aliases: [...aliases],
      versions: showStatuses(row.statuses),
    })),
    next: found.length > rows.length ? (rows.at(-1)?.k ?? null) : null,
  };
};

import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import type { Status } from '../../shared/domain/review/status.ts';
import { StatusIcon } from '../parts/status-marks.tsx';
import { Text } from '../parts/text.tsx';
import { Section } from './section.tsx';

type Issue = VersionEvidence['issues'][number];

/** The section with the details of an issue. */
const sections: Readonly<Partial<Record<Issue['code'], string>>> = {
  malware: 'scans',
  scan_failed: 'scans',
  scan_missing: 'scans',
  license_rejected: 'license',
  license_unreadable: 'license',
  license_not_approved: 'license',
  license_unreviewed: 'license',
  license_differs: 'license',
  not_found_at_origin: 'metadata',
  deprecated: 'metadata',
  yanked: 'metadata',
  too_young: 'metadata',
  install_scripts: 'metadata',
  new_dependency_young: 'changes',
  install_scripts_added: 'changes',
  publisher_changed: 'changes',
  provenance_lost: 'changes',
  repository_changed: 'changes',
  provenance_invalid: 'metadata',
};

const show = (section: string): void => {
  const title = document.getElementById(section);
  title?.scrollIntoView({ block: 'start' });
  title?.focus();
};

const IssueItem = ({ issue: { code, message, blocks } }: { readonly issue: Issue }) => {
  const section = sections[code];
  return (
    <li class={blocks ? 'bad' : 'warn'}>
      <StatusIcon tone={blocks ? 'bad' : 'warn'} />
      <span>
        <Text text={message} />{' '}
        {section && (
          <button type="button" class="plain" onClick={() => show(section)}>
            Show
            <span class="visually-hidden"> the section {section}</span>
          </button>
        )}
      </span>
    </li>
  );
};

/** The issues of a version: first those that block an approval, then the warnings. */
export const IssueSections = ({
  issues,
  status,
}: {
  readonly issues: readonly Issue[];
  readonly status: Status;
}) => {
  const blocking = issues.filter(({ blocks }) => blocks);
  const others = issues.filter(({ blocks }) => !blocks);
  const title = status === 'approved' ? 'Would block a new approval' : 'Blocked by';
  return (
    <>
      {blocking.length > 0 && (
        <Section title={title} id="blocking">
          <ul class="issue-list">
            {blocking.map((issue) => (
              <IssueItem key={issue.code} issue={issue} />
            ))}
          </ul>
        </Section>
      )}
      {others.length > 0 && (
        <Section title="Warnings" id="warnings">
          <ul class="issue-list">
            {others.map((issue) => (
              <IssueItem key={issue.code} issue={issue} />
            ))}
          </ul>
        </Section>
      )}
      {issues.length === 0 && (
        <Section title="Issues" id="blocking">
          <p class="status-label good">
            <StatusIcon tone="good" /> No known issues.
          </p>
        </Section>
      )}
    </>
  );
};

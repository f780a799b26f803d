import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { nameRecallRecord } from '../../shared/domain/recalls/recall.ts';
import { StatusIcon } from '../parts/status-marks.tsx';
import { Line } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Section } from './section.tsx';

type RecallInForce = NonNullable<VersionEvidence['recall']>;

/** The recall of a version, and what a reviewer can do about it. */
export const Recall = ({ recall }: { readonly recall: RecallInForce }) => {
  const { record, others, recalled_at, approved_at } = recall;
  return (
    <Section title="Recalled" id="recall">
      <ul class="issue-list">
        <li class="bad">
          <StatusIcon tone="bad" />
          <span>
            The registry recalled this version <Time at={recalled_at} />:{' '}
            <Line class="version" text={nameRecallRecord(record)} />.
            {approved_at && (
              <>
                {' It had been approved since '}
                <Time at={approved_at} />.
              </>
            )}
          </span>
        </li>
      </ul>
      {others.length > 0 && (
        <p>
          Further records: <Line class="version" text={others.map(nameRecallRecord).join(', ')} />
        </p>
      )}
      <p>
        <strong>Reject</strong> it to make the recall permanent. Otherwise the registry approves it
        again if the record is withdrawn, or if upstream has the version again.
      </p>
      <p>
        <strong>Approve</strong> it only if the recall is wrong. The same record then never recalls
        this version again.
      </p>
    </Section>
  );
};

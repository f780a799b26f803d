import { FreezeState } from './freeze-state.tsx';
import { HeldRecords } from './held-records.tsx';
import { Recalls } from './recalls.tsx';

/** The view of incidents: the freeze of the registry, records of malware that wait for a decision, and recalls. */
export const Incidents = () => (
  <div class="page">
    <FreezeState />
    <HeldRecords />
    <Recalls />
  </div>
);

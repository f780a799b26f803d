import type { ComponentChildren } from 'preact';
import type { RequestError } from '../../shared/api/client/request-error.ts';

/** What stands where nothing is: what would be there, and how it gets there. */
export const EmptyState = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    <p>{children}</p>
  </div>
);

/** Whether another try may go better, and the fault is not with what was asked. */
const mayPass = ({ status }: RequestError): boolean =>
  status === null || status === 429 || status >= 500;

/** What could not be had: the registry's own sentence, and another try. */
export const ErrorMessage = ({
  error,
  retry,
}: {
  readonly error: RequestError;
  readonly retry?: (() => void) | undefined;
}) => (
  <div class="error-message" role="alert">
    <p>{error.detail}</p>
    {mayPass(error) && error.requestId && <p class="muted">Request {error.requestId}</p>}
    {retry && mayPass(error) && (
      <button type="button" onClick={retry}>
        Try again
      </button>
    )}
  </div>
);

/** As many bars as lines are to come, as high as they: nothing moves when they do. */
export const Skeleton = ({ lines, label }: { readonly lines: number; readonly label: string }) => (
  <div class="skeleton" role="status">
    <span class="visually-hidden">{label}</span>
    {Array.from({ length: lines }, (_, at) => (
      <span class="bar" key={at} aria-hidden="true" />
    ))}
  </div>
);

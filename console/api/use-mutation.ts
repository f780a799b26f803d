import { useState } from 'preact/hooks';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { toRequestError } from './to-request-error.ts';

/** What is known of something that a form sends: whether it is under way, and why it was refused. */
export const useMutation = () => {
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<RequestError>();
  const send = async (work: () => Promise<void>): Promise<void> => {
    setSending(true);
    setError(undefined);
    try {
      await work();
    } catch (caught) {
      setError(toRequestError(caught));
    } finally {
      setSending(false);
    }
  };
  return { isSending, error, send };
};

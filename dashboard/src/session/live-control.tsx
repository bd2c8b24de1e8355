import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useMode } from '../ui/use-mode';
import { LiveConnection } from './live-connection';
import { LiveQueries } from './live-queries';
import { onLiveEvents, useLive } from './live-state';
import { useMe } from './session';
import '../styles/live.css';

const PAUSED = 'duka-live-paused';

/** Keeps what is shown up to date, and says whether it is. A person may pause it. */
export default function LiveControl() {
  const mode = useMode();
  const { account } = useMe();
  const isOpen = mode === 'test' || account.live_enabled;
  const [isPaused, setPaused] = useState(() => sessionStorage.getItem(PAUSED) === '1');
  useConnection(isOpen, isPaused);
  const { status, since } = useLive();
  if (!isOpen) return null;
  const toggle = () => {
    sessionStorage.setItem(PAUSED, isPaused ? '0' : '1');
    setPaused(!isPaused);
  };
  const at = since?.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  const text = { off: 'Following…', live: 'Following', paused: 'Paused', lost: `Not followed since ${at}` }[status];
  return (
    <Button
      variant="default"
      size="xs"
      className="live-control"
      data-status={status}
      onClick={toggle}
      aria-label={`${text}. ${isPaused ? 'Show changes as they happen' : 'Pause'}`}
      title={isPaused ? 'Show changes as they happen' : 'Pause'}
      leftSection={<span className="live-dot" aria-hidden="true" />}
    >
      <span className="live-text">{text}</span>
    </Button>
  );
}

/** One stream, of the mode that is shown. */
function useConnection(isOpen: boolean, isPaused: boolean) {
  const mode = useMode();
  const queries = useQueryClient();
  const connection = useRef<LiveConnection>(null);
  useEffect(() => {
    if (!isOpen) return;
    const shown = new LiveQueries(queries, mode);
    const stop = onLiveEvents(shown.hear);
    const opened = new LiveConnection(mode === 'live', {
      onBehind: shown.readAll,
      onSession: () => void queries.invalidateQueries({ queryKey: ['me'] }),
    });
    connection.current = opened;
    return () => {
      stop();
      shown.stop();
      opened.close();
    };
  }, [isOpen, mode, queries]);
  useEffect(() => connection.current?.pause(isPaused), [isPaused, isOpen, mode]);
}

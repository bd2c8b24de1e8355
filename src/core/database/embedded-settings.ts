const COMMON = {
  listen_addresses: '127.0.0.1',
  // A socket's path has at most 107 characters, which a deep project folder exceeds.
  unix_socket_directories: '',
  max_connections: 200,
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Statements carry what customers send; they do not belong in a log.
  log_min_error_statement: 'panic',
  random_page_cost: 1.1,
  jit: 'off',
};

const DURABLE = {
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  min_wal_size: '256MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // On two cores a vacuum at its full speed leaves requests half of one.
  autovacuum_vacuum_cost_delay: '20ms',
};

const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB' };

/** Command-line settings of the embedded server: given at each start, so that old data folders follow new releases. */
export function serverSettings(durable: boolean): string[] {
  const settings = { ...COMMON, ...(durable ? DURABLE : FAST) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** All names of metrics, spans, attributes and log fields. A value is never a key, an image, a signed address or a plate number. */
export const METRICS = {
  eventLoopLag: 'tire_event_loop_lag_seconds',
  processMemory: 'tire_process_memory_bytes',
  processCpu: 'tire_process_cpu_seconds',
  databasePoolConnections: 'tire_database_pool_connections',
  databasePoolWaiting: 'tire_database_pool_waiting',
  httpServerDuration: 'tire_http_server_seconds',
  grpcServerDuration: 'tire_grpc_server_seconds',
  requestsRefused: 'tire_requests_refused',
  requestsInFlight: 'tire_requests_in_flight',
  requestsWaiting: 'tire_requests_waiting',
  outboxDepth: 'tire_outbox_messages',
  outboxOldestAge: 'tire_outbox_oldest_age_seconds',
  messagesPublished: 'tire_messages_published',
  messagesConsumed: 'tire_messages_consumed',
  messagesRedelivered: 'tire_messages_redelivered',
  messagesDead: 'tire_messages_dead',
  slotsWaiting: 'tire_slots_waiting',
  slotsWaitingOldestAge: 'tire_slots_waiting_oldest_age_seconds',
  inferenceStage: 'tire_inference_stage_seconds',
  inferenceQueueAge: 'tire_inference_queue_age_seconds',
  inferenceFailures: 'tire_inference_failures',
  inferenceRefusals: 'tire_inference_refusals',
  inferenceWaiting: 'tire_inference_waiting',
  inferenceBatchSize: 'tire_inference_batch_size',
  inferenceSwaps: 'tire_inference_model_swaps',
  objectsCleaned: 'tire_objects_cleaned',
  fetchAttempts: 'tire_fetch_attempts',
  callbackAttempts: 'tire_callback_attempts',
  callbacksPending: 'tire_callbacks_pending',
  callbacksOldestAge: 'tire_callbacks_oldest_age_seconds',
  callbacksOverdue: 'tire_callbacks_overdue_seconds',
} as const;

export const SPANS = {
  consume: 'message.consume',
  callbackSend: 'callback.send',
} as const;

export const ATTRIBUTES = {
  kind: 'kind',
  state: 'state',
  httpMethod: 'http.request.method',
  httpRoute: 'http.route',
  httpStatus: 'http.response.status_code',
  grpcMethod: 'rpc.method',
  grpcStatus: 'rpc.grpc.status_code',
  subject: 'messaging.destination.name',
  consumer: 'messaging.consumer.group.name',
  requestId: 'tire.request_id',
  reportId: 'tire.report_id',
  errorCode: 'tire.error_code',
  outcome: 'tire.outcome',
  reason: 'tire.reason',
  stage: 'tire.stage',
} as const;

export const LOG_FIELDS = {
  name: 'name',
  requestId: 'request_id',
  traceId: 'trace_id',
  spanId: 'span_id',
} as const;

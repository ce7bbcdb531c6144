import type { ledgerApi } from '@tire/contracts/grpc';
import { OPERATIONS, TEXT_IN_PATH, type Operation, type OperationId } from '@tire/contracts/operations';
import { DomainError, isUuid } from '@tire/kernel';
import { LEDGER } from '@tire/platform';
import type { PromiseClient } from '@tire/platform';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ProjectCaller } from './callers';
import { API_PREFIX, CAPTURE_PREFIX, CONSOLE_PREFIX } from './api-prefix';
import { OPERATION_HANDLERS, type Call, type OperationHandlers } from './operation-handlers';
import { HttpResponse, JSON_TYPE, send } from './response';
import { requestParser } from './validation';

type AnyHandler = (call: Call<unknown> | object) => unknown;

/** Makes the routes of the API and of the console from the table of operations. */
@Injectable()
export class Routes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    @Inject(OPERATION_HANDLERS) private readonly handlers: OperationHandlers,
    @Inject(LEDGER) private readonly ledger: PromiseClient<ledgerApi.LedgerServiceClient>,
  ) {}

  onModuleInit(): void {
    for (const [id, operation] of Object.entries<Operation>(OPERATIONS)) {
      const handle = this.handlers[id as OperationId] as AnyHandler;
      const { api, console: ofConsole, capture } = operation;
      if (api) this.add(id, operation, API_PREFIX + api.path, { scope: api.scope, isLogged: !operation.waits }, handle);
      if (ofConsole) this.add(id, operation, CONSOLE_PREFIX + ofConsole.path, { access: ofConsole.access }, handle);
      if (capture) this.add(id, operation, CAPTURE_PREFIX + capture.path, { capture: true }, handle);
    }
  }

  private add(id: string, operation: Operation, path: string, config: FastifyContextConfig, handle: AnyHandler): void {
    const { status } = operation.responses[0];
    const parse = requestParser(operation);
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const isApi = config.scope !== undefined;
    const isAboutReport = operation.api !== undefined && names.includes('report_id');
    this.host.httpAdapter.getInstance<FastifyInstance>().route({
      method: operation.method.toUpperCase(),
      url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config,
      ...(operation.body?.bytesMax === undefined ? {} : { bodyLimit: operation.body.bytesMax }),
      handler: async (request, reply) => {
        try {
          const { captureCaller } = request;
          const params = captureCaller ? { report_id: captureCaller.reportId } : idsOf(request, names);
          const caller = captureCaller ?? (isApi ? request.caller : request.consoleCaller);
          const parsed = isAboutReport
            ? await this.parseAfterExistence(() => parse(request), caller as ProjectCaller, params['report_id']!)
            : parse(request);
          return sendResult(reply, status, await handle({ caller, params, ...parsed, request }));
        } catch (error) {
          // Other errors are faults of the service, whatever their class: the framework maps some of its own to a 400.
          throw error instanceof DomainError ? error : new Error(`Operation ${id} failed`, { cause: error });
        }
      },
    });
  }

  /**
   * 404, and 409 of a discarded or purged report, come before 422: only the owner of a report gets the fault of a request about
   * it. The ledger is called only if the request is invalid; a valid one causes no extra call.
   */
  private async parseAfterExistence<T>(parse: () => T, { projectId }: ProjectCaller, reportId: string): Promise<T> {
    try {
      return parse();
    } catch (error) {
      await this.ledger.getMutability({ projectId, reportId });
      throw error;
    }
  }
}

/** A value that no id can have names no resource. */
function idsOf({ params }: FastifyRequest, names: readonly string[]): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const name of names) {
    const id = (params as Record<string, string>)[name] ?? '';
    const text = TEXT_IN_PATH[name];
    if (text ? !text.safeParse(id).success : !isUuid(id)) throw new DomainError('not_found');
    ids[name] = text ? id : id.toLowerCase();
  }
  return ids;
}

function sendResult(reply: FastifyReply, status: number, result: unknown): FastifyReply {
  if (result instanceof HttpResponse) return send(reply, result, status);
  reply.code(status);
  return result === undefined ? reply.send() : reply.type(JSON_TYPE).send(JSON.stringify(result));
}

import { Injectable } from '@nestjs/common';
import type { OperationHandlers } from '../edge/operation-handlers';
import { KeysService } from './keys.service';

@Injectable()
export class KeyHandlers {
  constructor(private readonly keys: KeysService) {}

  readonly handlers = {
    listKeys: ({ caller }) => this.keys.list(caller.projectId),
    issueKey: ({ caller, body }) => this.keys.issue(caller, body),
    revokeKey: ({ caller, params }) => this.keys.revoke(caller, params.key_id),
  } satisfies Partial<OperationHandlers>;
}

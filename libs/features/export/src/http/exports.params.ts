import { integer, Param } from '#http';
import { IsIn } from '#validation';
import { EXPORT_TYPE } from '../wire-export.js';

export class RequestExportParams {
  /** 1 for what all members may read, 2 also for what those may read who allow it. */
  @Param(integer(), { default: EXPORT_TYPE.public })
  @IsIn(Object.values(EXPORT_TYPE))
  export_type!: number;
}

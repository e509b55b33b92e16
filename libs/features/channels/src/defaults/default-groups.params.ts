import { Type } from 'typebox';
import { json, Param, Shape, text } from '#http';
import { IsIn, MaxCharacters } from '#validation';

const CHANNELS_MAX = 1000;
const TEXT_LENGTH_MAX = 10_000;

const AreNames = Shape(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: CHANNELS_MAX }));

export class CreateDefaultGroupParams {
  @Param(text())
  @MaxCharacters(TEXT_LENGTH_MAX)
  group_name!: string;

  @Param(text())
  @MaxCharacters(TEXT_LENGTH_MAX)
  description!: string;

  @Param(json())
  @AreNames
  stream_names!: string[];
}

export class DescribeDefaultGroupParams {
  @Param(text(), { optional: true })
  @MaxCharacters(TEXT_LENGTH_MAX)
  new_group_name?: string;

  @Param(text(), { optional: true })
  @MaxCharacters(TEXT_LENGTH_MAX)
  new_description?: string;
}

export class DefaultGroupChannelsParams {
  @Param(text())
  @IsIn(['add', 'remove'])
  op!: 'add' | 'remove';

  @Param(json())
  @AreNames
  stream_names!: string[];
}

/** How much harm a tool can do: `low` only reads, `medium` runs code that was declared, `high` writes, deletes or sends. */
export type RiskClass = 'low' | 'medium' | 'high';

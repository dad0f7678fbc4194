"""What was said, by any of some terms: one statement that counts how rare each term is and ranks by it.

PostgreSQL's own rank does not know rare words from common ones. Here it says how much an event is about one term, and the
term's rarity in the store weighs it. The statement reads a store's events once; it always returns a row, without an event
when nothing was found, so that the counts come with it.
"""

from sqlalchemy import TextClause, text

_SAID = """
    WITH asked AS MATERIALIZED (
      SELECT term, query FROM unnest(CAST(:terms AS text[])) AS t (term), plainto_tsquery('simple', term) AS query
      WHERE numnode(query) > 0
    ), mine AS MATERIALIZED (
      SELECT id FROM sessions WHERE tenant_id = :tenant_id AND {sessions}
    ), said AS MATERIALIZED (
      SELECT e.session_id, e.position, e.words FROM mine JOIN session_events e ON e.session_id = mine.id
      WHERE e.words @@ (SELECT CAST(string_agg('(' || CAST(query AS text) || ')', ' | ') AS tsquery) FROM asked)
    ), matched AS MATERIALIZED (
      SELECT s.session_id, s.position, a.term, ts_rank(s.words, a.query, 1) AS weight
      FROM said s JOIN asked a ON s.words @@ a.query
    ), held AS MATERIALIZED (
      SELECT term, count(*) AS texts FROM matched GROUP BY term
    ), counted AS (
      SELECT (
        SELECT count(*) FROM mine JOIN session_events e ON e.session_id = mine.id
        WHERE e.kind = ANY (CAST(:kinds AS text[]))
      ) AS texts, (SELECT coalesce(jsonb_object_agg(term, texts), '{{}}') FROM held) AS holding
    ), best AS (
      SELECT m.session_id, m.position, sum(m.weight * ln(1 + (c.texts - h.texts + 0.5) / (h.texts + 0.5))) AS score
      FROM matched m JOIN held h USING (term) CROSS JOIN counted c
      GROUP BY m.session_id, m.position ORDER BY score DESC, m.session_id, m.position LIMIT :limit
    )
    SELECT c.texts, c.holding, e.session_id, e.event_id, e.position, e.at, e.kind, e.role, e.is_masked,
      left(e.text, :chars) AS text
    FROM counted c LEFT JOIN (
      best b JOIN session_events e ON e.session_id = b.session_id AND e.position = b.position
    ) ON true ORDER BY b.score DESC, b.session_id, b.position
"""


def said_query(sessions: str) -> TextClause:
    """Return the statement for the sessions that a constant condition names."""
    return text(_SAID.format(sessions=sessions))

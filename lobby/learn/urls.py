"""Routes of lessons, exercises, the calculator, yaku, points and the glossary."""

from __future__ import annotations

from django.urls import path

from lobby.learn import calculator_views, exercise_views, views

urlpatterns = [
    path("table/<slug:table_id>/yaku/", views.table_yaku, name="table_yaku"),
    path("learn/", views.learn, name="learn"),
    path("learn/yaku/", views.yaku, name="learn_yaku"),
    path("learn/points/", views.points, name="learn_points"),
    path("learn/glossary/", views.glossary, name="learn_glossary"),
    path("learn/rules/", views.compare_rules, name="learn_rules"),
    path("learn/calculator/", calculator_views.calculator, name="calculator"),
    path("learn/exercises/", exercise_views.exercises, name="exercises"),
    path("learn/exercises/<slug:kind>/<slug:level>/", exercise_views.begin, name="next_exercise"),
    path(
        "learn/exercises/<slug:kind>/<slug:level>/<slug:seed>/",
        exercise_views.exercise,
        name="exercise",
    ),
    path("learn/<slug:slug>/", views.lesson, name="lesson"),
]

from django.urls import path

from gateway import api, api_metrics

urlpatterns = [
    path("metrics/", api_metrics.MetricsView.as_view(), name="metrics"),
    path("budgets/", api.BudgetsView.as_view(), name="budgets"),
    path("budgets/unverified/", api.UnverifiedView.as_view(), name="budget_unverified"),
    path("budgets/charges/<uuid:hold_id>/correction/", api.CorrectionView.as_view(), name="charge_correction"),
    path("budgets/<int:budget_id>/", api.BudgetView.as_view(), name="budget"),
    path("budgets/<int:budget_id>/entries/", api.EntriesView.as_view(), name="budget_entries"),
    path("budgets/<int:budget_id>/adjustments/", api.AdjustmentsView.as_view(), name="budget_adjustments"),
    path("prices/", api.PricesView.as_view(), name="prices"),
]
